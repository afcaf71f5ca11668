/**
 * Finds what is said about a path: `flask.request.args`, `Statement.execute`, `?cursor.execute` (`?` = the type is not
 * known, only the variable's name). In a pattern `*` stands for anything but a dot, `**` for anything, `{a,b}` for
 * either; between slashes it is a regular expression.
 */

interface Entry<T> {
  matches: RegExp;
  means: T;
}

export class PathTable<T> {
  private readonly byLast = new Map<string, Entry<T>[]>();
  private readonly others: Entry<T>[] = [];

  add(pattern: string, means: T): void {
    for (const one of alternatives(pattern)) {
      const entry = { matches: compile(one), means };
      const last = lastPart(one);
      if (one.startsWith("/") || last.includes("*")) this.others.push(entry);
      else this.byLast.set(last, [...(this.byLast.get(last) ?? []), entry]);
    }
  }

  /** Everything said about any of the paths. */
  find(paths: readonly string[]): readonly T[] {
    const found = new Set<T>();
    for (const path of paths) {
      for (const entry of this.byLast.get(lastPart(path)) ?? [])
        if (entry.matches.test(path)) found.add(entry.means);
      for (const entry of this.others) if (entry.matches.test(path)) found.add(entry.means);
    }
    return [...found];
  }
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

function alternatives(pattern: string): string[] {
  if (pattern.startsWith("/")) return [pattern];
  const group = /^(?<before>[^{]*)\{(?<inside>[^}]*)\}(?<after>.*)$/.exec(pattern)?.groups;
  if (group === undefined) return [pattern];
  const { before = "", inside = "", after = "" } = group;
  return inside.split(",").flatMap((one) => alternatives(`${before}${one.trim()}${after}`));
}

function compile(pattern: string): RegExp {
  if (pattern.startsWith("/")) return new RegExp(pattern.slice(1, pattern.lastIndexOf("/")), "i");
  const source = pattern
    .replace(/[.+?^$()|[\]\\]/g, "\\$&")
    .replaceAll("**", "\u0000")
    .replaceAll("*", "[^.]*")
    .replaceAll("\u0000", ".*");
  return new RegExp(`^${source}$`);
}
