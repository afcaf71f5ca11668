/** The rule of removed-name.ts, with what it reports and what it leaves alone. */
import type { Example, Rule } from "../rule.ts";

const pythonPrices = "def gross(n):\n    return n * 2\n\n\ndef net(n):\n    return n\n";
const cart =
  "class Cart:\n    def add_item(self, item):\n        pass\n\n    def drop_item(self, item):\n        pass\n";
const goPrices =
  "package shop\n\nfunc NetPrice(n int) int {\n\treturn n\n}\n\nfunc GrossPrice(n int) int {\n\treturn n\n}\n";

export const removedButUsed: Rule = {
  id: "any/removed-but-imported",
  title: "removed name that is still used",
  category: "bug",
  severity: "high",
  cwe: null,
  message: "`{name}` went from here, but {places} still {use} it.",
  why: "That fails, or finds nothing, as soon as it is loaded, called or compiled.",
  advice: "Keep it, or change who uses it in the same pull request.",
  placement: "inline",
  bad: [
    kept("shop/price.py", pythonPrices, pythonPrices.slice(pythonPrices.indexOf("def net")), {
      "shop/cart.py": "from .price import (\n    gross,\n    net,\n)\n",
    }),
    kept("shop/price.py", cart, cart.slice(0, cart.indexOf("    def drop_item")), {
      "shop/till.py": "from shop.price import Cart\n\n\ndef empty(cart):\n    cart.drop_item(1)\n",
    }),
    kept("shop/price.go", goPrices, goPrices.slice(0, goPrices.indexOf("func GrossPrice")), {
      "till/till.go": 'package till\n\nimport (\n\t"example.com/shop"\n)\n\nvar n = shop.GrossPrice(1)\n',
    }),
    {
      path: "src/price.ts",
      before: "export function gross(n) {\n  return n * 2;\n}\nexport function net(n) {\n  return n;\n}\n",
      after: "export function net(n) {\n  return n;\n}\n",
      alongside: {
        "src/cart.ts": {
          before: 'import { gross } from "./price.ts";\nshow(gross(1));\n',
          after: 'import { gross } from "./price.ts";\nshow(gross(2));\n',
        },
      },
    },
    {
      path: "shop/price.py",
      before: "def gross(n):\n    return n * 2\n\n\ndef net(n):\n    return n\n",
      after: "def net(n):\n    return n\n",
      alongside: {
        "shop/cart.py": {
          before: "from shop.price import gross\nshow(gross(1))\n",
          after: "from shop.price import gross\nshow(gross(2))\n",
        },
      },
    },
  ],
  ok: [
    kept("shop/price.py", pythonPrices, pythonPrices.slice(pythonPrices.indexOf("def net")), {
      "shop/cart.py": "try:\n    from shop.price import gross\nexcept ImportError:\n    gross = None\n",
    }),
    kept("shop/price.py", cart, cart.slice(0, cart.indexOf("    def drop_item")), {
      "shop/till.py":
        "from shop.price import Cart\n\n\nclass Till:\n    def drop_item(self):\n        pass\n\n\nTill().drop_item()\n",
    }),
    kept("shop/price.go", goPrices, goPrices.slice(0, goPrices.indexOf("func GrossPrice")), {
      "shop/gross.go": "package shop\n\nfunc GrossPrice(n int) int {\n\treturn n\n}\n",
      "till/till.go": 'package till\n\nimport (\n\t"example.com/shop"\n)\n\nvar n = shop.GrossPrice(1)\n',
    }),
    {
      path: "src/price.ts",
      before: "export function gross(n) {\n  return n * 2;\n}\nexport function net(n) {\n  return n;\n}\n",
      after: "export function net(n) {\n  return n;\n}\n",
      alongside: {
        "src/cart.ts": {
          before: 'import { gross } from "./price.ts";\nshow(gross(1));\n',
          after: 'import { gross } from "./tax.ts";\nshow(gross(1));\n',
        },
      },
    },
    {
      path: "src/price.ts",
      before: "export function gross(n) {\n  return n * 2;\n}\nexport function net(n) {\n  return n;\n}\n",
      after: 'export { gross } from "./gross.ts";\nexport function net(n) {\n  return n;\n}\n',
      alongside: {
        "src/cart.ts": {
          before: 'import { gross } from "./price.ts";\nshow(gross(1));\n',
          after: 'import { gross } from "./price.ts";\nshow(gross(2));\n',
        },
      },
    },
  ],
};

/** A change to one file, beside others that stay as they are. */
function kept(
  path: string,
  before: string,
  after: string,
  others: Readonly<Record<string, string>>,
): Example {
  const alongside = Object.fromEntries(
    Object.entries(others).map(([other, text]) => [other, { before: text, after: text }]),
  );
  return { path, before, after, alongside };
}
