/** Checks that the code makes of input, in the forms that people write them: after them there is nothing to say. */
import { afterAll, describe, expect, test } from "bun:test";
import { createRulesEngine } from "../../../../src/engines/rules/rules.ts";
import { aPullRequest } from "../../a-pull-request.ts";
import { silentLogger } from "../../silent-logger.ts";

const engine = createRulesEngine({ logger: silentLogger });
afterAll(() => engine.close());

async function rulesIn(path: string, lines: readonly string[]): Promise<string[]> {
  const { candidates } = await engine.review(
    aPullRequest({ [path]: { before: null, after: `${lines.join("\n")}\n` } }),
  );
  return candidates.map((candidate) => candidate.rule).filter((rule) => rule.endsWith("-flow"));
}

function python(...lines: readonly string[]): Promise<string[]> {
  return rulesIn("src/users.py", [
    "import re, os",
    "from urllib.parse import urlparse",
    "from flask import abort, redirect, request",
    'COLUMNS = ("name", "age")',
    ...lines,
  ]);
}

const inHandler = (...lines: readonly string[]) =>
  python("def handle():", '    value = request.args["value"]', ...lines.map((line) => `    ${line}`));

const query = 'cursor.execute("SELECT * FROM users ORDER BY " + value)';

function go(...lines: readonly string[]): Promise<string[]> {
  const head = [
    "package web",
    "",
    "import (",
    '  "database/sql"',
    '  "fmt"',
    '  "net/http"',
    '  "net/url"',
    ")",
  ];
  return rulesIn("web/users.go", [...head, ...lines]);
}

const goHandler = (...lines: readonly string[]) =>
  go(
    "var columns = map[string]bool{}",
    "func list(w http.ResponseWriter, r *http.Request, db *sql.DB) {",
    '  value := r.FormValue("value")',
    ...lines,
    "}",
  );

const goQuery = 'db.Query("SELECT * FROM users ORDER BY " + value)';

describe("a guard that leaves", () => {
  test("by a call that does not come back", async () => {
    expect(await inHandler("if value not in COLUMNS:", "    abort(400)", query)).toEqual([]);
    expect(await inHandler("if value not in COLUMNS:", "    log(value)", query)).toEqual([
      "py/sql-injection-flow",
    ]);
  });

  test("in a function of the file that always throws", async () => {
    expect(
      await python(
        "def refuse(why):",
        "    raise ValueError(why)",
        "def handle():",
        '    value = request.args["value"]',
        "    if value not in COLUMNS:",
        '        refuse("no such column")',
        `    ${query}`,
      ),
    ).toEqual([]);
  });

  test("in a function of the file that throws unless the value is right", async () => {
    const guard = ["def column(value):", "    if value not in COLUMNS:", "        raise ValueError(value)"];
    const handler = [
      "def handle():",
      '    value = request.args["value"]',
      "    column(value)",
      `    ${query}`,
    ];
    expect(await python(...guard, ...handler)).toEqual([]);
    expect(await python("def column(value):", "    print(value)", ...handler)).toEqual([
      "py/sql-injection-flow",
    ]);
  });

  test("as an assertion", async () => {
    expect(await inHandler("assert value in COLUMNS", query)).toEqual([]);
    expect(await inHandler("validate_column(value)", query)).toEqual([]);
  });
});

describe("a check that something else remembers", () => {
  test("a variable", async () => {
    expect(await inHandler('ok = re.fullmatch("[a-z]+", value)', "if not ok:", "    return", query)).toEqual(
      [],
    );
    expect(await goHandler("if _, ok := columns[value]; !ok {", "  return", "}", goQuery)).toEqual([]);
    expect(await goHandler("if _, ok := columns[other]; !ok {", "  return", "}", goQuery)).toEqual([
      "go/sql-injection-flow",
    ]);
  });

  test("the answer of a function of the file", async () => {
    const known = ["def known(value):", "    return value in COLUMNS"];
    const handler = [
      "def handle():",
      '    value = request.args["value"]',
      "    if known(value):",
      `        ${query}`,
    ];
    expect(await python(...known, ...handler)).toEqual([]);
    expect(await python("def known(value):", "    return len(value) > 3", ...handler)).toEqual([
      "py/sql-injection-flow",
    ]);
  });
});

describe("a value that is replaced unless it is right", () => {
  test("is harmless behind both ways", async () => {
    expect(await inHandler("if value not in COLUMNS:", '    value = "name"', query)).toEqual([]);
    expect(await goHandler("if !columns[value] {", '  value = "name"', "}", goQuery)).toEqual([]);
  });

  test("is not where the check was of the other way", async () => {
    expect(await inHandler("if value in COLUMNS:", '    value = "name"', query)).toEqual([
      "py/sql-injection-flow",
    ]);
  });
});

describe("addresses", () => {
  const goes = "return redirect(value)";

  test("without a host lead nowhere else", async () => {
    expect(await inHandler("if urlparse(value).netloc:", '    value = "/"', goes)).toEqual([]);
    expect(await inHandler("if urlparse(value).query:", '    value = "/"', goes)).toEqual([
      "py/open-redirect-flow",
    ]);
    expect(
      await goHandler(
        "u, err := url.Parse(value)",
        'if err != nil || u.Host != "" {',
        '  value = "/"',
        "}",
        "http.Redirect(w, r, value, 302)",
      ),
    ).toEqual([]);
  });

  test("that begin with what is not input lead there", async () => {
    expect(await goHandler('http.Get(fmt.Sprintf("%s/users/%s", base, value))')).toEqual([]);
    expect(await goHandler('http.Get(fmt.Sprintf("%s://%s/", scheme, value))')).toEqual(["go/ssrf-flow"]);
    expect(await goHandler('http.Get("https://example.org" + value)')).toEqual(["go/ssrf-flow"]);
  });
});

describe("texts made from a template", () => {
  test("keep nothing of the value where only a number fits", async () => {
    expect(await inHandler('cursor.execute("SELECT * FROM users WHERE id = %d" % value)')).toEqual([]);
    expect(await inHandler('cursor.execute("SELECT * FROM users WHERE id = {:d}".format(value))')).toEqual(
      [],
    );
    expect(await inHandler('cursor.execute("SELECT %d FROM users WHERE id = %s" % (1, value))')).toEqual([
      "py/sql-injection-flow",
    ]);
    expect(await inHandler('cursor.execute("SELECT {x} FROM users".format(x=value))')).toEqual([
      "py/sql-injection-flow",
    ]);
  });

  test("and what is left of a value by its characters is harmless", async () => {
    expect(await inHandler('value = re.sub("[^a-z_]", "", value)', query)).toEqual([]);
    expect(await inHandler('value = re.sub("[^a-z\']", "", value)', query)).toEqual([
      "py/sql-injection-flow",
    ]);
  });
});

describe("Go's own ways", () => {
  test("a loop that counts ends", async () => {
    expect(await goHandler("for i := 0; i < 3; i++ {", "  value += value", "}", goQuery)).toEqual([
      "go/sql-injection-flow",
    ]);
  });

  test("the second of several results is not the first", async () => {
    const parts = [
      "func parts(r *http.Request) (string, string) {",
      '  return "name", r.FormValue("b")',
      "}",
    ];
    const handler = (name: string) => [
      "func list(w http.ResponseWriter, r *http.Request, db *sql.DB) {",
      "  a, b := parts(r)",
      "  fmt.Println(a, b)",
      `  db.Query("SELECT * FROM users ORDER BY " + ${name})`,
      "}",
    ];
    expect(await go(...parts, ...handler("a"))).toEqual([]);
    expect(await go(...parts, ...handler("b"))).toEqual(["go/sql-injection-flow"]);
  });

  test("a struct's field is known by its type and where the struct goes", async () => {
    const types = ["type search struct {", "  City string", "  Age int", "}"];
    const made = [
      "func made(r *http.Request) *search {",
      "  s := &search{}",
      '  s.City = r.FormValue("c")',
      "  return s",
      "}",
    ];
    const handler = (name: string) => [
      "func list(w http.ResponseWriter, r *http.Request, db *sql.DB) {",
      `  db.Query(fmt.Sprintf("SELECT * FROM users WHERE x = %v", made(r).${name}))`,
      "}",
    ];
    expect(await go(...types, ...made, ...handler("City"))).toEqual(["go/sql-injection-flow"]);
    expect(await go(...types, ...made, ...handler("Age"))).toEqual([]);
  });
});

test("one input that reaches several sinks of a kind is told once, with all lines", async () => {
  const { candidates } = await engine.review(
    aPullRequest({
      "src/users.py": {
        before: null,
        after: [
          "import os",
          "from flask import request",
          "def handle():",
          '    path = request.args["path"]',
          "    if os.path.exists(path):",
          "        os.remove(path)",
          "",
        ].join("\n"),
      },
    }),
  );
  const told = candidates.filter(({ rule }) => rule === "py/path-traversal-flow");
  expect(told.map(({ line }) => line)).toEqual([5]);
  expect(told[0]?.message).toStartWith(
    "The request's query `path` (line 4) reaches this file access, and again on line 6.",
  );
});

describe("frameworks' own ways", () => {
  const fastApi = ["from fastapi import APIRouter", "from pydantic import BaseModel", "router = APIRouter()"];
  const item = ["class Item(BaseModel):", "    name: str", "    price: int"];
  const insert = (field: string) => [
    '@router.post("/items")',
    "async def create(item: Item):",
    `    await conn.execute(f"INSERT INTO items VALUES ('{item.${field}}')")`,
  ];

  test("a schema's fields come from the request, by their types", async () => {
    expect(await rulesIn("src/items.py", [...fastApi, ...item, ...insert("name")])).toEqual([
      "py/sql-injection-flow",
    ]);
    expect(await rulesIn("src/items.py", [...fastApi, ...item, ...insert("price")])).toEqual([]);
  });

  test("what FastAPI gives back is JSON, what Flask gives back is a page", async () => {
    const hello = (app: string) => [
      '@app.get("/hello/{name}")',
      "def hello(name: str):",
      '    return f"<p>{name}</p>"',
      `# ${app}`,
    ];
    const flask = ["from flask import Flask, request", "app = Flask(__name__)"];
    expect(
      await rulesIn("src/a.py", ["from fastapi import FastAPI", "app = FastAPI()", ...hello("")]),
    ).toEqual([]);
    expect(
      await rulesIn("src/a.py", [
        ...flask,
        '@app.get("/")',
        "def hello():",
        '    return "<p>" + request.args["x"]',
      ]),
    ).toEqual(["py/xss-flow"]);
  });

  test("a part of the address holds no slash unless it is a path", async () => {
    const file = (part: string) => [
      "from flask import Flask",
      "app = Flask(__name__)",
      `@app.route("/files/<${part}>")`,
      "def show(name):",
      '    return open("/srv/" + name).read()',
    ];
    expect(await rulesIn("src/a.py", file("name"))).toEqual([]);
    expect(await rulesIn("src/a.py", file("path:name"))).toEqual(["py/path-traversal-flow"]);
  });

  test("an enum that Spring reads holds no input", async () => {
    const list = (type: string) => [
      "@RestController",
      "class Users {",
      "  private JdbcTemplate jdbcTemplate;",
      '  @GetMapping("/users")',
      `  List<User> list(@RequestParam ${type} order) {`,
      '    return jdbcTemplate.query("SELECT * FROM users ORDER BY id " + order, mapper);',
      "  }",
      "}",
    ];
    expect(await rulesIn("src/Users.java", list("Direction"))).toEqual([]);
    expect(await rulesIn("src/Users.java", list("String"))).toEqual(["java/sql-injection-flow"]);
  });

  test("what Go decodes from elsewhere is not the request's", async () => {
    const decode = (from: string) => [
      "package web",
      'import ("database/sql"; "encoding/json"; "net/http")',
      "func load(w http.ResponseWriter, r *http.Request, db *sql.DB, answer *http.Response) {",
      "  var order struct{ Name string }",
      `  json.NewDecoder(${from}.Body).Decode(&order)`,
      '  db.Query("SELECT * FROM orders WHERE name = \'" + order.Name + "\'")',
      "}",
    ];
    expect(await rulesIn("web/a.go", decode("r"))).toEqual(["go/sql-injection-flow"]);
    expect(await rulesIn("web/a.go", decode("answer"))).toEqual([]);
  });
});
