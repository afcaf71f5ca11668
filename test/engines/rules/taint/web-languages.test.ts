// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text is code that has templates
/** Input followed through what JavaScript, TypeScript and PHP programs do with it; checks and cleaning end the way. */
import { afterAll, describe, expect, test } from "bun:test";
import { createRulesEngine } from "../../../../src/engines/rules/rules.ts";
import { aPullRequest } from "../../a-pull-request.ts";
import { silentLogger } from "../../silent-logger.ts";

const engine = createRulesEngine({ logger: silentLogger });
afterAll(() => engine.close());

async function flowsIn(path: string, lines: readonly string[]): Promise<string[]> {
  const { candidates } = await engine.review(
    aPullRequest({ [path]: { before: null, after: `${lines.join("\n")}\n` } }),
  );
  return candidates.map((candidate) => candidate.rule).filter((rule) => rule.endsWith("-flow"));
}

const script = (...lines: readonly string[]) => flowsIn("src/routes.ts", lines);
const php = (...lines: readonly string[]) => flowsIn("src/page.php", ["<?php", ...lines]);

const express = (...lines: readonly string[]) =>
  script(
    'import { createPool } from "mysql2/promise";',
    'import { readFile } from "node:fs/promises";',
    'import path from "node:path";',
    "const pool = createPool({});",
    'app.get("/users", async (req, res) => {',
    ...lines,
    "});",
    "function inside(root: string, file: string) {",
    '  return file.startsWith(root + "/");',
    "}",
  );

describe("JavaScript and TypeScript", () => {
  test.each([
    ["a parameter", ["pool.query(`SELECT * FROM users WHERE id = ${req.query.id}`);"]],
    ["a default", ['const { id = "1" } = req.query;', 'pool.query("SELECT * FROM users WHERE id = " + id);']],
    [
      "elements of a list",
      [
        "const ids = req.query.ids.split(\",\").map((id) => `'${id}'`);",
        "pool.query(`SELECT ${ids.join()}`);",
      ],
    ],
    [
      "a type that was asked",
      ['if (typeof req.query.id === "string") pool.query(`SELECT ${req.query.id}`);'],
    ],
  ])("%s reaches a query", async (_name, lines) => {
    expect(await express(...lines)).toEqual(["js/sql-injection-flow"]);
  });

  test.each([
    ["a list of values beside the text", ['pool.query({ text: "SELECT $1", values: [req.query.id] });']],
    [
      "a number of each",
      ['const ids = req.query.ids.split(",").map(Number);', "pool.query(`SELECT ${ids.join()}`);"],
    ],
    ["a template that escapes", ["pool.query(sql`SELECT ${req.query.id}`);"]],
    [
      "what is left of a class of characters",
      ['const name = req.query.name.replace(/[^a-z]/g, "");', "pool.query(`SELECT ${name}`);"],
    ],
    [
      "the same parameter checked before",
      ["if (!/^\\d+$/.test(req.query.id)) return;", "pool.query(`SELECT ${req.query.id}`);"],
    ],
    [
      "allowed ones of a list",
      [
        'const names = req.query.names.filter((name) => ["a", "b"].includes(name));',
        "pool.query(`SELECT ${names}`);",
      ],
    ],
    [
      "a path that a function below found inside",
      [
        'const file = path.resolve("/srv", req.query.file);',
        'if (!inside("/srv", file)) return;',
        "await readFile(file);",
      ],
    ],
    ["text that is no page", ['res.type("text/plain").send("Hello " + req.query.name);']],
    ["an address of our own host", ["await fetch(`${API}/users/${req.query.id}`);"]],
  ])("%s is harmless", async (_name, lines) => {
    expect(await express(...lines)).toEqual([]);
  });

  test("what an object keeps is found again in its methods", async () => {
    const found = await script(
      "class Users {",
      "  constructor(private readonly db: Pool) {}",
      "  find(name: string) {",
      "    return this.db.query(`SELECT * FROM users WHERE name = '${name}'`);",
      "  }",
      "}",
      "const users = new Users(connect());",
      'router.get("/", async (req, res) => res.json(await users.find(req.query.name)));',
    );
    expect(found).toEqual(["js/sql-injection-flow"]);
  });

  test("a part of the page's address reaches markup, and JSX escapes it elsewhere", async () => {
    const banner = (markup: string) =>
      flowsIn("src/banner.tsx", [
        'import { useSearchParams } from "react-router-dom";',
        "export function Banner() {",
        "  const [params] = useSearchParams();",
        `  return ${markup};`,
        "}",
      ]);
    expect(await banner('<p dangerouslySetInnerHTML={{ __html: params.get("text") }} />')).toEqual([
      "js/xss-flow",
    ]);
    expect(await banner('<p>{params.get("text")}</p>')).toEqual([]);
  });
});

describe("PHP", () => {
  test("an included file that the request names is an inclusion, not a file that is read", async () => {
    expect(await php('include "pages/" . $_GET["page"];')).toEqual(["php/file-inclusion-flow"]);
    expect(await php('include "pages/" . basename($_GET["page"]);')).toEqual([]);
  });

  test.each([
    ["an appended element", ["$all = [];", '$all[] = $_GET["name"];', "echo $all[0];"]],
    ["every value of a form", ["foreach ($_POST as $name => $value) {", "    echo $value;", "}"]],
    [
      "what a method kept",
      [
        "class Page {",
        "  function load() { $this->name = $_GET['n']; }",
        "  function show() { $this->load(); echo $this->name; }",
        "}",
      ],
    ],
  ])("%s reaches the page", async (_name, lines) => {
    expect(await php(...lines)).toEqual(["php/xss-flow"]);
  });

  test.each([
    ["a number in a format", ["printf('<p>%d</p>', $_GET['n']);"]],
    ["a choice between constants", ["echo match ($_GET['n']) { 'a' => 'A', default => 'B' };"]],
    ["a sum", ["echo $_GET['n'] + 1;"]],
    ["a filtered number", ["echo filter_var($_GET['n'], FILTER_VALIDATE_INT);"]],
    ["text that is no page", ['header("Content-Type: text/plain");', "echo $_GET['n'];"]],
    ["text that is returned", ["$log = print_r($_GET, true);"]],
  ])("%s is harmless", async (_name, lines) => {
    expect(await php(...lines)).toEqual([]);
  });
});
