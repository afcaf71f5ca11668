/** Functions whose results are sent: told by their decorators or annotations. */
import type { Environment } from "./environment.ts";
import type { Page } from "./model.ts";
import type { Closure } from "./value.ts";

export function pagesOf({ code, environment }: Closure, pages: readonly Page[]): readonly Page[] {
  if (code.marks.length === 0) return [];
  const texts = code.marks.map((mark) => mark.text).join(" ");
  const paths = code.marks.flatMap((mark) => pathsOfMark(mark.name, environment));
  return pages.filter(
    ({ path, marks }) =>
      (marks === null || marks.test(texts)) && (path === null || paths.some((one) => path.test(one))),
  );
}

/** `app.get` where `app` was made by `flask.Flask()` is `flask.Flask().get`. */
function pathsOfMark(name: string, environment: Environment): readonly string[] {
  const [first = "", ...rest] = name.split(".");
  const known = environment.get(first)?.names ?? [];
  return (known.length === 0 ? [`?${first}`] : known).map((path) => [path, ...rest].join("."));
}
