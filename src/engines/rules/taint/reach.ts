/** Which calls were run, and which statements nothing led to. */
import type { Statement } from "./syntax.ts";

export class Reach {
  private readonly called = new Set<number>();
  private readonly skipped = new Set<Statement>();

  call(line: number): void {
    this.called.add(line);
  }

  skip(statements: readonly Statement[]): void {
    for (const statement of statements) this.skipped.add(statement);
  }

  /** Lines with calls that were never run. */
  deadLines(): ReadonlySet<number> {
    const lines = new Set<number>();
    for (const statement of this.skipped) addCallLines(statement, lines);
    return lines.difference(this.called);
  }
}

function addCallLines(part: unknown, lines: Set<number>): void {
  if (typeof part !== "object" || part === null) return;
  if ("kind" in part && part.kind === "call" && "line" in part && typeof part.line === "number")
    lines.add(part.line);
  for (const inside of Object.values(part)) addCallLines(inside, lines);
}
