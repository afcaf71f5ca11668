/** Checks that look beyond the pull request: who else in the repository uses what it changed. */
import { afterAll, describe, expect, test } from "bun:test";
import type { ReviewEngineInput } from "../../../../src/domain/review-engine.ts";
import type { Logger } from "../../../../src/domain/runtime.ts";
import { createRulesEngine } from "../../../../src/engines/rules/rules.ts";
import { aPullRequest, type FileSides } from "../../a-pull-request.ts";

const warnings: string[] = [];
const logger: Logger = {
  debug() {},
  info() {},
  warn: (message) => void warnings.push(message),
  error: (message, fields) => {
    throw new Error(`${message} ${JSON.stringify(fields)}`);
  },
};
const engine = createRulesEngine({ logger });
afterAll(() => engine.close());

const changed = {
  "shop/price.py": {
    before: "def gross(net):\n    return net\n",
    after: "def gross(net, tax):\n    return net * tax\n",
  },
};
const caller = "from shop.price import gross\n\nshow(gross(1))\n";

async function messagesOf(files: FileSides, how: Partial<ReviewEngineInput> = {}) {
  const { candidates } = await engine.review({ ...aPullRequest(files), ...how });
  return candidates.map(
    ({ path, line, rule, message }) => `${path}:${line} ${rule} ${message.split(". ")[0]}`,
  );
}

function unchanged(files: Readonly<Record<string, string>>): FileSides {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, { before: text, after: text }]),
  );
}

describe("reviewing a changed signature", () => {
  test("names the callers that the pull request does not touch, on the changed declaration", async () => {
    expect(await messagesOf({ ...changed, ...unchanged({ "till/sell.py": caller }) })).toEqual([
      "shop/price.py:1 any/caller-not-updated `gross` now needs `tax`, but `till/sell.py:3` still calls it the old way",
    ]);
  });

  test("names three callers and counts the others", async () => {
    const callers = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`till/sell${n}.py`, caller]));
    const [message] = await messagesOf({ ...changed, ...unchanged(callers) });
    expect(message).toContain(
      "`till/sell1.py:3`, `till/sell2.py:3`, `till/sell3.py:3` and 2 more still call",
    );
  });

  test("finds calls by a module's name, by keyword and over several lines", async () => {
    const users = {
      "a.py": "from shop import price\n\nshow(price.gross(1))\n",
      "b.py": "import shop.price as p\n\nshow(p.gross(net=1))\n",
      "c.py":
        "from shop.price import (\n    gross,\n    other,\n)\n\nshow(\n    gross(\n        1,\n    )\n)\n",
    };
    const [message] = await messagesOf({ ...changed, ...unchanged(users) });
    expect(message).toContain("`a.py:3`, `b.py:3` and `c.py:7` still call");
  });

  test.each([
    ["gives the new argument", "from shop.price import gross\n\nshow(gross(1, 2))\n"],
    ["gives it by name", "from shop.price import gross\n\nshow(gross(1, tax=2))\n"],
    ["gives it in a list", "from shop.price import gross\n\nshow(gross(*both))\n"],
    ["gives it in a dictionary", "from shop.price import gross\n\nshow(gross(1, **rest))\n"],
    ["was wrong before", "from shop.price import gross\n\nshow(gross())\n"],
    ["means another module's", "from shop.tax import gross\n\nshow(gross(1))\n"],
    [
      "has a function of its own by that name",
      "from shop.price import gross\n\n\ndef gross(a):\n    return a\n\n\ngross(1)\n",
    ],
    [
      "has a variable by that name",
      "from shop.price import gross\n\ngross = partial(gross, tax=1)\nshow(gross(1))\n",
    ],
    [
      "has a parameter by that name",
      "from shop.price import gross\n\n\ndef total(gross):\n    return gross(1)\n",
    ],
    ["calls a method of that name", "from shop.price import gross\n\nshow(cart.gross(1))\n"],
    ["only mentions it", "from shop.price import gross\n\n# gross(1)\nshow('gross(1)', gross)\n"],
  ])("says nothing of a caller that %s", async (_what, text) => {
    expect(await messagesOf({ ...changed, ...unchanged({ "till/sell.py": text }) })).toEqual([]);
  });

  test("says nothing where a decorator may have changed what is called", async () => {
    const decorated = {
      "shop/price.py": {
        before: `@task\n${changed["shop/price.py"].before}`,
        after: `@task\n${changed["shop/price.py"].after}`,
      },
    };
    expect(await messagesOf({ ...decorated, ...unchanged({ "till/sell.py": caller }) })).toEqual([]);
  });

  test("tells a method by its name only where nothing else has it", async () => {
    const cart = {
      "src/cart.ts": {
        before: "export class Cart {\n  addItem(item: string) {\n    return item;\n  }\n}\n",
        after: "export class Cart {\n  addItem(item: string, count: number) {\n    return item;\n  }\n}\n",
      },
    };
    const user = {
      "src/till.ts": 'import { Cart } from "./cart";\nexport const sell = (c: Cart) => c.addItem("a");\n',
    };
    expect(await messagesOf({ ...cart, ...unchanged(user) })).toHaveLength(1);
    for (const other of [
      "export class List {\n  addItem(item: string) {}\n}\n",
      "export interface Items {\n  addItem(item: string): void;\n}\n",
      "export const stub = { addItem: () => {} };\n",
      "stub.addItem = (item) => {};\n",
    ])
      expect(await messagesOf({ ...cart, ...unchanged({ ...user, "src/other.ts": other }) })).toEqual([]);
  });

  test("takes no library's method for one of the repository", async () => {
    const jobs = {
      "src/jobs.rs": {
        before: "pub struct Jobs;\nimpl Jobs {\n    pub fn wind_up(&mut self) {}\n}\n",
        after: "pub struct Jobs;\nimpl Jobs {\n    pub fn wind_up(&mut self, editor: &mut Editor) {}\n}\n",
      },
    };
    const using = (call: string) => ({
      "src/commands.rs": `use crate::jobs::Jobs;\nfn show(f: &mut Formatter) {\n    ${call};\n}\n`,
    });
    expect(await messagesOf({ ...jobs, ...unchanged(using("jobs.wind_up()")) })).toHaveLength(1);
    for (const call of ['f.debug_tuple("a").field(&1).wind_up()', "f.wind_up()"])
      expect(await messagesOf({ ...jobs, ...unchanged(using(call)) })).toEqual([]);
  });

  test("says nothing of overloads", async () => {
    const before = "class Prices {\n  static int netPrice(int a) {\n    return a;\n  }\n}\n";
    const overloaded = before.replace(
      /}\n$/,
      "  static int netPrice(int a, int b) {\n    return a;\n  }\n}\n",
    );
    const user = { "Till.java": "class Till {\n  int p = Prices.netPrice(1);\n}\n" };
    const single = { "Prices.java": { before, after: before.replace("int a)", "int a, int b)") } };
    expect(await messagesOf({ ...single, ...unchanged(user) })).toHaveLength(1);
    expect(await messagesOf({ "Prices.java": { before, after: overloaded }, ...unchanged(user) })).toEqual(
      [],
    );
  });
});

describe("reviewing without an answer from the repository", () => {
  const files = { ...changed, ...unchanged({ "till/sell.py": caller }) };
  const beside = { ...changed, "till/sell.py": { before: caller, after: `${caller}show(2)\n` } };

  test("says what the changed files alone tell where the host cannot search", async () => {
    expect(await messagesOf(files, { search: async () => null })).toEqual([]);
    expect(await messagesOf(beside, { search: async () => null })).toHaveLength(1);
  });

  test("goes on when the search fails, and says so in the summary and in the log", async () => {
    const search = () => Promise.reject(new Error("the disk is gone"));
    const { candidates, problems } = await engine.review({ ...aPullRequest(beside), search });
    expect(candidates.map(({ rule }) => rule)).toEqual(["any/caller-not-updated"]);
    expect(problems).toEqual([expect.stringContaining("could not be searched")]);
    expect(warnings.splice(0)).toEqual(["the repository could not be searched"]);
  });

  test("ends with the review, not with a note, when the review is given up meanwhile", async () => {
    const giving = new AbortController();
    const search = () => {
      giving.abort(new Error("superseded"));
      return Promise.reject(giving.signal.reason);
    };
    const input = { ...aPullRequest(files, giving.signal), search };
    expect(await engine.review(input).catch((error: unknown) => error)).toEqual(new Error("superseded"));
    expect(warnings).toEqual([]);
  });

  test("asks nothing when nothing was changed that others could use", async () => {
    const asked: string[] = [];
    const search = async (words: readonly string[]) => {
      asked.push(...words);
      return [];
    };
    await messagesOf({ "a.py": { before: "x = 1\n", after: "x = 2\n" } }, { search });
    expect(asked).toEqual([]);
  });

  test("asks for few words, and for none that stands everywhere", async () => {
    const names = ["get", "run", ...Array.from({ length: 100 }, (_, n) => `price${n}`)];
    const text = (parameters: string) =>
      names.map((name) => `def ${name}(${parameters}):\n    pass\n`).join("\n");
    const asked: string[] = [];
    const search = async (words: readonly string[]) => {
      asked.push(...words);
      return [];
    };
    await messagesOf({ "a.py": { before: text("a"), after: text("a, b") } }, { search });
    expect(asked.length).toBeLessThanOrEqual(64);
    expect(asked).toContain("price0");
    expect(asked).not.toContain("get");
  });

  test("bears thousands of places and files that cannot be read", async () => {
    const text = "from shop.price import gross\n";
    const search = async () =>
      Array.from({ length: 5_000 }, (_, n) => ({ path: `many/f${n % 900}.py`, line: n, text }));
    expect(await messagesOf(changed, { search })).toEqual([]);
    const few = async () => [{ path: "gone.py", line: 1, text }];
    expect(await messagesOf(changed, { search: few })).toEqual([]);
  });
});
