/** Names and routes that others may use: which went, and who among the changed files still uses them. */

import { nearestHeadLine } from "../../../domain/diff.ts";
import { changed, type Finding, findingAt, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { isFocused, lessSure } from "./extent.ts";
import type { PullRequestChange, PullRequestCheck } from "./pull-request-check.ts";

const removedButUsed: Rule = {
  id: "any/removed-but-imported",
  title: "removed name that another changed file imports",
  category: "bug",
  severity: "high",
  cwe: null,
  message: "`{name}` went from here, but `{user}` still imports it.",
  why: "The import fails, or gives nothing, as soon as that file is loaded.",
  advice: "Keep `{name}`, or change what imports it in the same pull request.",
  placement: "inline",
  bad: [
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

const routeRemoved: Rule = {
  id: "any/route-removed",
  title: "route removed",
  category: "api_compatibility",
  severity: "low",
  cwe: null,
  message: "The route `{route}` is no longer served: does nobody call it any more?",
  why: "Clients that still do get an error from the moment this is deployed.",
  advice: "Keep the route until its clients have moved, or say in the pull request that none is left.",
  placement: "inline",
  doubtful: true,
  bad: [
    changed(
      "src/server.ts",
      'app.get("/orders", list);\napp.get("/orders/:id", show);\n',
      'app.get("/orders", list);\n',
    ),
    changed(
      "shop/api.py",
      '@app.route("/orders")\ndef orders():\n    return a()\n\n\ndef b():\n    return 1\n',
      "def b():\n    return 1\n",
    ),
  ],
  ok: [
    changed(
      "src/server.ts",
      'app.get("/orders", list);\napp.get("/a", show);\n',
      'app.get("/a", show);\nrouter.get("/orders", list);\n',
    ),
    changed("src/server.ts", 'cache.get("/orders");\na();\n', "a();\n"),
  ],
};

export const publishedNames: PullRequestCheck = {
  rules: [removedButUsed, routeRemoved],
  wants: () => [],
  *find({ files }: PullRequestChange) {
    const added = files.flatMap((file) => [...file.addedLines()].map(({ text }) => text)).join("\n");
    const focused = isFocused(files);
    for (const file of files) {
      if (file.isTest || !file.whole) continue;
      for (const finding of findingsOf(file, files, added))
        yield { file, finding: focused ? finding : lessSure(finding) };
    }
  },
};

function* findingsOf(file: SourceFile, files: readonly SourceFile[], added: string): Generator<Finding> {
  for (const hunk of file.diff.hunks) {
    for (const line of hunk.lines) {
      if (line.kind !== "removed") continue;
      const at = nearestHeadLine(hunk, line.oldLine);
      const found = goneName(file, files, line.text) ?? goneRoute(file, line.text, added);
      if (at !== null && found !== null)
        yield { ...findingAt(found.rule, at, found.values), about: "removed" };
    }
  }
}

type Gone = Pick<Finding, "rule" | "values"> | null;

const definitions = {
  script:
    /^export\s+(?:async\s+|abstract\s+|declare\s+)*(?:function\*?|const|let|class|interface|type|enum)\s+([\w$]{2,})/,
  python: /^(?:async\s+)?(?:def|class)\s+([A-Za-z]\w+)/,
};

function goneName(file: SourceFile, files: readonly SourceFile[], text: string): Gone {
  const kind = kindOf(file);
  const name = kind === null ? undefined : definitions[kind].exec(text)?.[1];
  if (kind === null || name === undefined || hasWord(file.text, name)) return null;
  const user = files.find((other) => other !== file && importsName(other, file, name));
  return user === undefined ? null : { rule: removedButUsed, values: { name, user: user.path } };
}

function kindOf({ language }: SourceFile): keyof typeof definitions | null {
  if (language === "python") return "python";
  return language === "javascript" || language === "typescript" || language === "tsx" ? "script" : null;
}

/** By name, from a module that is called like the file, in the folder that the import names. */
export function importsName(user: SourceFile, file: SourceFile, name: string): boolean {
  const kind = kindOf(file);
  if (kind === null || kindOf(user) !== kind) return false;
  const module = file.path.replace(/\.[^./]+$/, "");
  if (kind === "script") {
    return [
      ...user.text.matchAll(/import\s+(?:type\s+)?\{([^}]{1,2000})\}\s*from\s*["'](\.[^"']{1,200})["']/g),
    ].some(([, names = "", from = ""]) => hasWord(names, name) && resolved(user.path, from) === module);
  }
  const dotted = module.replaceAll("/", ".");
  return [...user.text.matchAll(/^\s*from\s+([\w.]{1,200})\s+import\s+\(?([^()\n]{1,500})/gm)].some(
    ([, from = "", names = ""]) => hasWord(names, name) && from.includes(".") && dotted.endsWith(from),
  );
}

/** `./price.js` seen from `src/cart.ts` is `src/price`. */
function resolved(from: string, target: string): string {
  return new URL(target, `file:///${from}`).pathname.slice(1).replace(/\.[cm]?[jt]sx?$/, "");
}

function hasWord(text: string, word: string): boolean {
  const at = text.indexOf(word);
  return at >= 0 && new RegExp(`(?<![\\w$])${word.replaceAll("$", "\\$")}(?![\\w$])`).test(text);
}

const routes: readonly RegExp[] = [
  /\b(?:app|router|server|api|r|e|g|mux|routes?|Route|blueprint|bp)(?:\.|::|->)(?:get|post|put|patch|delete|route|Get|Post|Put|Patch|Delete|GET|POST|PUT|PATCH|DELETE|HandleFunc|Handle|MapGet|MapPost|MapPut|MapDelete)\(\s*["']([^"']*\/[^"']*)["']\s*[,)]/,
  /^\s*@(?:Get|Post|Put|Patch|Delete|Request)Mapping\(\s*(?:value\s*=\s*|path\s*=\s*)?"([^"]*\/[^"]*)"/,
  /^\s*\[Http(?:Get|Post|Put|Patch|Delete)\(\s*"([^"]+)"/,
  /^\s*(?:re_)?path\(\s*r?["']([^"']+)["']\s*,/,
];

function goneRoute(file: SourceFile, text: string, added: string): Gone {
  const route = routes.map((form) => form.exec(text.slice(0, 400))?.[1]).find((found) => found !== undefined);
  if (route === undefined || file.language === null || file.text.includes(route) || added.includes(route))
    return null;
  return { rule: routeRemoved, values: { route } };
}
