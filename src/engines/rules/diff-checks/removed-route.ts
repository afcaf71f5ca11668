/** A route that is no longer served, and who in the repository still names it. */
import { changed, type Finding, findingAt, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { isCode } from "../uses/only-one.ts";
import type { RepositoryAtHead } from "../uses/repository-at-head.ts";
import { isFocused, lessSure } from "./extent.ts";
import { placesText } from "./places.ts";
import type { PullRequestCheck } from "./pull-request-check.ts";
import { removedLinesOf } from "./removed-lines.ts";

const routeRemoved: Rule = {
  id: "any/route-removed",
  title: "route removed",
  category: "api_compatibility",
  severity: "low",
  cwe: null,
  message: "The route `{route}` is no longer served{users}: does nobody call it any more?",
  why: "Clients that still do get an error from the moment this is deployed.",
  advice: "Keep the route until its clients have moved, or say in the pull request that none is left.",
  placement: "inline",
  doubtful: true,
  bad: [
    {
      path: "src/server.ts",
      before: 'app.get("/shop/orders", list);\napp.get("/shop/carts", show);\n',
      after: 'app.get("/shop/carts", show);\n',
      alongside: {
        "web/orders.ts": { before: 'fetch("/shop/orders");\n', after: 'fetch("/shop/orders");\n' },
      },
    },
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

export const removedRoutes: PullRequestCheck = {
  rules: [routeRemoved],
  wants: () => [],
  asks: (files) =>
    files.flatMap(({ diff, head }) =>
      diff.hunks.flatMap((hunk) =>
        hunk.lines.flatMap((line) => {
          const route = line.kind === "removed" ? routeIn(line.text) : null;
          return route === null || !isTelling(route) || head?.includes(route)
            ? []
            : [{ word: route, readIn: [] }];
        }),
      ),
    ),
  *find({ files, repository }) {
    const added = files.flatMap((file) => [...file.addedLines()].map(({ text }) => text)).join("\n");
    const focused = isFocused(files);
    for (const file of files) {
      if (file.isTest || !file.whole || file.language === null) continue;
      for (const { text, at } of removedLinesOf(file)) {
        const route = routeIn(text);
        if (route === null || file.text.includes(route) || added.includes(route)) continue;
        const values = { route, users: usersOf(route, file, repository) };
        const finding: Finding = { ...findingAt(routeRemoved, at, values), about: "removed" };
        yield { file, finding: focused || values.users !== "" ? finding : lessSure(finding) };
      }
    }
  },
};

const routes: readonly RegExp[] = [
  /\b(?:app|router|server|api|r|e|g|mux|routes?|Route|blueprint|bp)(?:\.|::|->)(?:get|post|put|patch|delete|route|Get|Post|Put|Patch|Delete|GET|POST|PUT|PATCH|DELETE|HandleFunc|Handle|MapGet|MapPost|MapPut|MapDelete)\(\s*["']([^"']*\/[^"']*)["']\s*[,)]/,
  /^\s*@(?:Get|Post|Put|Patch|Delete|Request)Mapping\(\s*(?:value\s*=\s*|path\s*=\s*)?"([^"]*\/[^"]*)"/,
  /^\s*\[Http(?:Get|Post|Put|Patch|Delete)\(\s*"([^"]+)"/,
  /^\s*(?:re_)?path\(\s*r?["']([^"']+)["']\s*,/,
];

function routeIn(text: string): string | null {
  for (const form of routes) {
    const route = form.exec(text.slice(0, 400))?.[1];
    if (route !== undefined) return route.replace(/^[A-Z]+ /, "");
  }
  return null;
}

/** Of two parts at least and without parameters: others write it just so. */
function isTelling(route: string): boolean {
  return /^\/?[\w-]+(?:\/[\w-]+)+\/?$/.test(route) && route.length >= 8;
}

function usersOf(route: string, file: SourceFile, repository: RepositoryAtHead | null): string {
  const lines = isTelling(route) ? (repository?.linesWith(route) ?? []) : [];
  const users = lines.filter(
    ({ path, text }) =>
      path !== file.path && isCode(path) && hasQuoted(text, route) && routeIn(text) === null,
  );
  return users.length === 0
    ? ""
    : `, and ${placesText(users)} still ${users.length === 1 ? "names" : "name"} it`;
}

function hasQuoted(text: string, route: string): boolean {
  return ['"', "'", "`"].some((quote) => text.includes(`${quote}${route}${quote}`));
}
