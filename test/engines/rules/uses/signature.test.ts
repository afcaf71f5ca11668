/** What functions take and what calls give, language by language. */
import { afterEach, describe, expect, test } from "bun:test";
import type { Language } from "../../../../src/engines/rules/languages.ts";
import { loadLanguage, parse, releaseTrees } from "../../../../src/engines/rules/parser/syntax.ts";
import { callsIn } from "../../../../src/engines/rules/uses/calls.ts";
import { definitionsIn } from "../../../../src/engines/rules/uses/definitions.ts";
import { brokenBy } from "../../../../src/engines/rules/uses/signature.ts";

afterEach(releaseTrees);

/** What is said of each call of `price` in `after`, whose definition was that of `before`. */
async function saidOf(language: Language, before: string, after: string): Promise<(string | null)[]> {
  await loadLanguage(language);
  const names = ["price", "Price"];
  const [old, now] = [before, after].map((text) => parse(language, text).tree);
  if (old === undefined || now === undefined) throw new Error("no trees");
  const definitions = definitionsIn(now, language, names);
  return [...definitionsIn(old, language, names)].flatMap(([key, was]) => {
    const is = definitions.get(key);
    if (is === undefined) return [];
    const user = { path: "", text: after, lines: after.split("\n"), language, tree: now };
    return [...callsIn(user, is.name)].map((call) =>
      brokenBy(language, { before: was.parameters, now: is.parameters }, call, () => false),
    );
  });
}

describe("a call of a changed function", () => {
  test.each<[Language, string, string, string, (string | null)[]]>([
    [
      "python",
      "def price(a):\n pass\n",
      "def price(a, b):\n pass\n",
      "price(1)\nprice(1, b=2)\nprice(*x)\n",
      ["needs `b`", null],
    ],
    [
      "python",
      "def price(a, b=1):\n pass\n",
      "def price(a):\n pass\n",
      "price(1, 2)\nprice(1)\n",
      ["takes 1 argument", null],
    ],
    [
      "python",
      "def price(a, **k):\n pass\n",
      "def price(a):\n pass\n",
      "price(1, tax=2)\n",
      ["has no parameter `tax`"],
    ],
    ["python", "def price(a, *r):\n pass\n", "def price(a, *r, b=1):\n pass\n", "price(1, 2, 3)\n", [null]],
    [
      "python",
      "def price(width, height):\n pass\n",
      "def price(height, width):\n pass\n",
      "price(width, height)\nprice(a, b)\n",
      ["takes `height` where it took `width`", null],
    ],
    [
      "typescript",
      "function price(a: X) {}\n",
      "function price(a: X, b: Y) {}\n",
      "price(1);\nprice(1, 2);\nprice(...x);\n",
      ["needs `b`", null],
    ],
    [
      "typescript",
      "const price = (a: X) => a;\n",
      "const price = (a: X, b?: Y) => a;\n",
      "price(1);\n",
      [null],
    ],
    [
      "typescript",
      "class A { price(a: X) {} }\n",
      "class A { price(this: A) {} }\n",
      "o.price(1);\n",
      ["takes no arguments"],
    ],
    ["javascript", "function price(a) {}\n", "function price(a, b) {}\n", "price(1);\n", [null]],
    [
      "javascript",
      "function price(a, b) {}\n",
      "function price(b) {}\n",
      "price(1, 2);\n",
      ["takes `b` where it took `a`"],
    ],
    [
      "go",
      "package p\nfunc price(a int) {}\n",
      "package p\nfunc price(a, b int) {}\n",
      "var _ = price(1)\nvar _ = price(f())\n",
      ["needs `b`"],
    ],
    [
      "go",
      "package p\nfunc price(a int) {}\n",
      "package p\nfunc price(a int, b ...int) {}\n",
      "var _ = price(1)\n",
      [null],
    ],
    [
      "java",
      "class A { static int price(int a) { return a; } }\n",
      "class A { static int price(int a, int b) { return a; } }\n",
      "class B { int c = A.price(1); int d = A.price(1, 2); }\n",
      ["needs `b`", null],
    ],
    [
      "java",
      "class A { int price(int a) { return a; } }\n",
      "class A { @Override int price(int a, int b) { return a; } }\n",
      "class B { int c = a.price(1); }\n",
      [],
    ],
    [
      "csharp",
      "class A { static int Price(int a) { return a; } }\n",
      "class A { static int Price(int a, int b = 1) { return a; } }\n",
      "class B { int c = A.Price(1); }\n",
      [null],
    ],
    [
      "csharp",
      "class A { static int Price(int a) { return a; } }\n",
      "class A { static int Price(int a, int b) { return a; } }\n",
      "class B { int c = A.Price(1); int d = A.Price(1, b: 2); }\n",
      ["needs `b`", null],
    ],
    [
      "kotlin",
      "fun price(a: Int) = a\n",
      "fun price(a: Int, b: Int) = a\n",
      "val c = price(1)\nval d = price(1) { 2 }\n",
      ["needs `b`"],
    ],
    [
      "kotlin",
      "fun price(a: Int) = a\n",
      "fun price(a: Int, b: Int = 2) = a\n",
      "val c = price(1)\n",
      [null],
    ],
    [
      "rust",
      "fn price(a: u8) {}\n",
      "fn price(a: u8, b: u8) {}\n",
      "fn c() { price(1); price(1, 2); }\n",
      ["needs `b`", null],
    ],
    [
      "rust",
      "fn price(a: u8) {}\n",
      "#[cfg(test)]\nfn price(a: u8, b: u8) {}\n",
      "fn c() { price(1); }\n",
      [],
    ],
    [
      "c",
      "int price(int a) { return a; }\n",
      "int price(int a, int b) { return a; }\n",
      "int c(void) { return price(1) + price(1, 2); }\n",
      ["needs `b`", null],
    ],
    [
      "c",
      "int price(int a) { return a; }\n",
      "int price() { return 1; }\n",
      "int c(void) { return price(1); }\n",
      [null],
    ],
    [
      "php",
      "<?php function price($a) {}\n",
      "<?php function price($a, $b) {}\n",
      "price(1); price(1, 2); price(1, b: 2);\n",
      ["needs `b`", null, null],
    ],
    ["php", "<?php function price($a, $b) {}\n", "<?php function price($a) {}\n", "price(1, 2);\n", [null]],
  ])("in %s: %s", async (language, before, now, calls, said) => {
    expect(await saidOf(language, `${before}${calls}`, `${now}${calls}`)).toEqual(said);
  });
});
