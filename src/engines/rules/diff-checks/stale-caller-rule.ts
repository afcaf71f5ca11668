/** The rule of stale-caller.ts, with what it reports and what it leaves alone. */
import type { Example, Rule } from "../rule.ts";

const python = "def price(net):\n    return net\n\n\ndef total(net):\n    return price(net)\n";
const typescript = "export function price(net: number) {\n  return net;\n}\n";
const go = "package shop\n\nfunc NetPrice(net int) int {\n\treturn net\n}\n";
const java =
  "package shop;\n\npublic class Prices {\n  public Prices(int net) {\n    this.net = net;\n  }\n}\n";
const c = "int net_price(int net) {\n  return net;\n}\n";

export const staleCaller: Rule = {
  id: "any/caller-not-updated",
  title: "signature changed, caller not",
  category: "bug",
  severity: "high",
  cwe: 628,
  message: "`{name}` now {change}, but {places} still {calls} it the old way.",
  why: "What is called so fails, or does something else than was meant.",
  advice: "Change the calls in the same pull request, or let the old way work, too.",
  placement: "inline",
  bad: [
    { path: "shop/price.py", before: python, after: python.replace("price(net):", "price(net, tax):") },
    {
      path: "shop/price.py",
      before: python,
      after: python.replace("price(net):", "price(\n    net,\n    *,\n    tax,\n):"),
    },
    used("src/price.ts", typescript, ["net: number", "net: number, tax: number"], {
      "src/cart.ts": 'import { price } from "./price.ts";\nshow(price(1));\n',
    }),
    used("shop/price.py", "def gross(net, rate=1):\n    return net\n", ["rate=1", "tax=1"], {
      "shop/cart.py": "from shop.price import gross\n\nshow(gross(1, rate=2))\n",
    }),
    used("shop/price.py", "def gross(net, rate):\n    return net\n", ["net, rate", "net, currency, rate=1"], {
      "shop/cart.py": "from .price import gross\n\nshow(gross(1, 2))\n",
    }),
    used(
      "shop/price.py",
      "class Cart:\n    def __init__(self, owner):\n        pass\n",
      ["owner)", "owner, shop)"],
      {
        "shop/till.py": "from shop import price\n\ncart = price.Cart(1)\n",
      },
    ),
    used(
      "shop/price.py",
      "class Cart:\n    def add_item(self, item):\n        pass\n",
      ["item)", "item, count)"],
      {
        "shop/till.py": "from shop.price import Cart\n\n\ndef sell(cart):\n    cart.add_item(1)\n",
      },
    ),
    used(
      "src/price.js",
      "export function area(width, height) {\n  return width;\n}\n",
      ["width, h", "unit, width, h"],
      {
        "src/cart.js": 'import { area } from "./price.js";\nshow(area(1, 2));\n',
      },
    ),
    used("shop/price.go", go, ["net int)", "net, tax int)"], {
      "till/till.go": 'package till\n\nimport (\n\t"example.com/shop"\n)\n\nvar n = shop.NetPrice(1)\n',
    }),
    used("src/shop/Prices.java", java, ["(int net)", "(int net, int tax)"], {
      "src/till/Till.java":
        "package till;\n\nimport shop.Prices;\n\nclass Till {\n  Prices p = new Prices(1);\n}\n",
    }),
    used("src/price.c", c, ["int net)", "int net, int tax)"], {
      "src/price.h": "int net_price(int net);\n",
      "src/till.c": '#include "price.h"\nint main(void) {\n  return net_price(1);\n}\n',
    }),
  ],
  ok: [
    { path: "shop/price.py", before: python, after: python.replace("price(net):", "price(net, tax=1):") },
    {
      path: "shop/price.py",
      before: python,
      after: python.replace("price(net):", "price(net, tax):").replace("price(net)\n", "price(net, 2)\n"),
    },
    {
      path: "shop/price.py",
      before: python,
      after: python.replace("price(net):", "price(net, tax):").replace("price(net)\n", "price(*net)\n"),
    },
    {
      path: "shop/price.py",
      before: python,
      after: python.replace("price(net):", "price(net, tax):").replace("total(net)", "total(net, price)"),
    },
    used("src/price.ts", typescript, ["net: number", "net: number, tax: number"], {
      "src/cart.ts": 'import { price } from "./tax.ts";\nshow(price(1));\n',
    }),
    used("src/price.ts", typescript, ["net: number", "amount: number"], {
      "src/cart.ts": 'import { price } from "./price.ts";\nshow(price(1));\n',
    }),
    used(
      "src/price.js",
      "export function area(width, height) {\n  return width;\n}\n",
      ["width, h", "w, h"],
      {
        "src/cart.js": 'import { area } from "./price.js";\nshow(area(1));\n',
      },
    ),
    used(
      "shop/price.py",
      "class Cart:\n    def add_item(self, item):\n        pass\n",
      ["item)", "item, count)"],
      {
        "shop/till.py":
          "from shop.price import Cart\n\n\nclass Till:\n    def add_item(self, item):\n        pass\n\n\nTill().add_item(1)\n",
      },
    ),
    used(
      "shop/price.py",
      "class Cart(Base):\n    def add_item(self, item):\n        pass\n",
      ["item)", "item, count)"],
      {
        "shop/till.py": "from shop.price import Cart\n\n\ndef sell(cart):\n    cart.add_item(1)\n",
      },
    ),
    used("shop/price.go", go, ["net int)", "net, tax int)"], {
      "till/till.go": 'package till\n\nimport (\n\t"example.com/shop"\n)\n\nvar n = shop.NetPrice(both())\n',
      "other/till.go": 'package till\n\nimport (\n\t"example.com/other"\n)\n\nvar n = other.NetPrice(1)\n',
    }),
    used("src/shop/Prices.java", java, ["  }\n}", "  }\n  public Prices(int a, int b) {\n  }\n}"], {
      "src/till/Till.java":
        "package till;\n\nimport shop.Prices;\n\nclass Till {\n  Prices p = new Prices(1);\n}\n",
    }),
    used("src/price.c", c, ["int net)", "int net, int tax)"], {
      "src/till.c": "#define net_price(a) net_price(a, 1)\nint main(void) {\n  return net_price(1);\n}\n",
    }),
  ],
};

/** A change to one file, beside others that stay as they are. */
function used(
  path: string,
  before: string,
  [old, now]: readonly [string, string],
  others: Readonly<Record<string, string>>,
): Example {
  const alongside = Object.fromEntries(
    Object.entries(others).map(([other, text]) => [other, { before: text, after: text }]),
  );
  return { path, before, after: before.replace(old, now), alongside };
}
