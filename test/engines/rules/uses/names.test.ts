/** What lines say about names: which they define, and which functions a change touches. */
import { describe, expect, test } from "bun:test";
import { definesName } from "../../../../src/engines/rules/uses/defining-lines.ts";
import { importsModuleAs, importsName } from "../../../../src/engines/rules/uses/imports.ts";
import { touchedNames } from "../../../../src/engines/rules/uses/touched-names.ts";
import { aPullRequest } from "../../a-pull-request.ts";

describe("a line", () => {
  test.each([
    "def price(a):",
    "  async price(a) {",
    "func (c *Cart) price(a int) (int, error) {",
    "price(a string) (int, error)",
    "public static <T> List<T> price(int a)",
    "static int *price(int a)",
    "const price = 1",
    "self.price = price_of",
    "stub.price := func() {}",
    "{ price: vi.fn() }",
    "#define price(a) (a)",
    "class price:",
  ])("defines a name: %s", (line) => {
    expect(definesName(line, "price")).toBe(true);
  });

  test.each([
    "price(1)",
    "return price(1)",
    "total = price(1) + price(2)",
    "if price == 1:",
    "if (price === 1) {",
    "from shop import price",
    "new price(1)",
    "await price(1);",
    "unprice = 1",
    "map(price => price.net)",
    "x.price(1)",
    "shop::price(1)",
  ])("only uses a name: %s", (line) => {
    expect(definesName(line, "price")).toBe(false);
  });

  test("as long as a book is read in no time", () => {
    const began = performance.now();
    for (const text of ["price ".repeat(50_000), `${"a ".repeat(50_000)}price(`, "price(".repeat(50_000)])
      definesName(text, "price");
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

describe("an import", () => {
  const python = (path: string, text: string) => ({ path, text, language: "python" as const });
  const script = (path: string, text: string) => ({ path, text, language: "typescript" as const });

  test("names a module from where it stands", () => {
    for (const user of [
      python("a/b.py", "from .price import net, gross\n"),
      python("a/c/b.py", "from ..price import (\n    net,  # both\n    gross,\n)\n"),
      python("x.py", "from a.price import gross\n"),
      python("a/b.py", "from price import gross\n"),
      script("a/b.ts", 'import { type Net, gross } from "./price";\n'),
      script("b/c.ts", 'import Prices, { gross } from "../a/price.js";\n'),
      script("b.js", 'const { gross } = require("./a/price");\n'),
    ])
      expect(importsName(user, user.language === "python" ? "a/price.py" : "a/price.ts", "gross")).toBe(true);
  });

  test("of another module, or under another name, is another's", () => {
    for (const user of [
      python("a/b.py", "from .tax import gross\n"),
      python("a/c/b.py", "from .price import gross\n"),
      python("x.py", "from price import gross\n"),
      python("x.py", "from a.price import net as gross\n"),
      python("x.py", "from a.price import gross as net\n"),
      script("a/b.ts", 'import { net as gross } from "./price";\n'),
      script("b/c.ts", 'import { gross } from "./price";\n'),
      script("b/c.ts", 'import { gross } from "price";\n'),
    ])
      expect(importsName(user, user.language === "python" ? "a/price.py" : "a/price.ts", "gross")).toBe(
        false,
      );
  });

  test("of a whole module gives it a name", () => {
    expect(importsModuleAs(python("x.py", "import a.price as p\n"), "a/price.py", "p")).toBe(true);
    expect(importsModuleAs(python("x.py", "from a import price\n"), "a/price.py", "price")).toBe(true);
    expect(importsModuleAs(script("x.ts", 'import * as p from "./a/price";\n'), "a/price.ts", "p")).toBe(
      true,
    );
    expect(importsModuleAs(script("x.ts", 'import * as p from "./b/price";\n'), "a/price.ts", "p")).toBe(
      false,
    );
  });
});

describe("a change", () => {
  const touched = (path: string, before: string, after: string) => {
    const [diff] = aPullRequest({ [path]: { before, after } }).diff.files;
    if (diff === undefined) throw new Error("no diff");
    return touchedNames({ diff, base: before, head: after });
  };

  test("touches the function whose parameters it changes, on whichever line they stand", () => {
    const long = "def gross(\n    net,\n    tax,\n):\n    return net\n";
    expect(touched("a.py", long, long.replace("    tax,\n", "    tax,\n    rate,\n"))).toEqual(["gross"]);
    expect(touched("a.py", long, long.replace("    tax,\n", ""))).toEqual(["gross"]);
    expect(touched("a.py", long, long.replace("return net", "return 1"))).toEqual([]);
  });

  test("of a constructor touches its class", () => {
    const text = "class Cart:\n    def __init__(self, owner):\n        pass\n";
    expect(touched("a.py", text, text.replace("owner", "owner, shop"))).toEqual(["Cart"]);
  });

  test.each([
    ["a.go", "func (c *Cart) Gross(net int) int {\n}\n"],
    ["a.ts", "export class Cart {\n  async Gross(net: string) {\n  }\n}\n"],
    ["a.ts", "export const Gross = async (net: string) => {\n};\n"],
    ["A.java", "class A {\n  public static List<String> Gross(int net) {\n  }\n}\n"],
    ["A.cs", "class A {\n  public Task<int> Gross(int net) {\n  }\n}\n"],
    ["A.kt", "fun <T> List<T>.Gross(net: Int) {\n}\n"],
    ["a.rs", "pub async fn Gross(net: u8) {\n}\n"],
    ["a.c", "static int *Gross(int net)\n{\n}\n"],
    ["a.php", "<?php\nfunction &Gross($net) {\n}\n"],
  ])("of a head in %s names the function", (path, text) => {
    expect(touched(path, text, text.replace("net", "other"))).toEqual(["Gross"]);
  });
});
