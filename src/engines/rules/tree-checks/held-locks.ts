/** Go: a way out of a function on which its lock stays locked. */
import type { Detector } from "../detector.ts";
import { field, type PlainNode } from "../parser/plain-tree.ts";
import { type Finding, findingAt, newFile, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { within, withinBut } from "./within.ts";

const heldLock: Rule = {
  id: "go/lock-held-on-return",
  title: "return with the lock held",
  category: "concurrency",
  severity: "high",
  cwe: 667,
  message: "This returns without unlocking `{lock}`, locked on line {locked}.",
  why: "Whoever locks it next waits for ever.",
  advice: "Unlock with `defer` right after the lock, or before each return.",
  placement: "inline",
  bad: [
    newFile(
      "a.go",
      'package a\n\nfunc (c *Cache) Get(key string) string {\n\tc.mu.Lock()\n\tv, ok := c.items[key]\n\tif !ok {\n\t\treturn ""\n\t}\n\tc.mu.Unlock()\n\treturn v\n}\n',
    ),
  ],
  ok: [
    newFile(
      "a.go",
      'package a\n\nfunc (c *Cache) Get(key string) string {\n\tc.mu.Lock()\n\tv, ok := c.items[key]\n\tif !ok {\n\t\tc.mu.Unlock()\n\t\treturn ""\n\t}\n\tc.mu.Unlock()\n\treturn v\n}\n',
    ),
    newFile(
      "a.go",
      'package a\n\nfunc (c *Cache) Get(key string) string {\n\tc.mu.Lock()\n\tdefer c.mu.Unlock()\n\tif key == "" {\n\t\treturn ""\n\t}\n\treturn c.items[key]\n}\n',
    ),
    newFile(
      "a.go",
      'package a\n\nfunc (c *Cache) Each() {\n\tc.mu.Lock()\n\tc.visit(func(v string) bool {\n\t\treturn v != ""\n\t})\n\tc.mu.Unlock()\n}\n',
    ),
    newFile("a.go", "package a\n\nfunc (c *Cache) Lock() {\n\tc.mu.Lock()\n}\n"),
  ],
};

export const heldLocks: Detector = {
  rules: [heldLock],
  appliesTo: ({ language, text }) => language === "go" && /Lock\(\)/.test(text),
  find,
};

function* find(file: SourceFile): Generator<Finding> {
  const code = file.code;
  if (code === null) return;
  for (const node of within(code)) if (node.type === "statement_list") yield* inBlock(node.children);
}

/** The statements of one block between `Lock` and `Unlock`; a lock that is unlocked elsewhere is meant to stay. */
function* inBlock(statements: readonly PlainNode[]): Generator<Finding> {
  for (const [at, statement] of statements.entries()) {
    const [, lock, read] = /^([\w.]+)\.(R?)Lock\(\)$/.exec(statement.text) ?? [];
    if (lock === undefined) continue;
    const unlock = `${read}Unlock`;
    const unlocks = (node: PlainNode) => node.text.includes(`${lock}.${unlock}(`);
    const end = statements.findIndex((one, index) => index > at && one.text === `${lock}.${unlock}()`);
    if (end === -1) continue;
    const held = statements.slice(at + 1, end);
    if (held.some((one) => one.type === "defer_statement" && unlocks(one))) continue;
    for (const branch of held) {
      for (const line of returnsWithout(unlocks, branch)) {
        yield findingAt(heldLock, line, { lock, locked: String(statement.line) });
      }
    }
  }
}

/** Lines of `return`s on whose way nothing unlocks: in no block around them, up to the statement. */
function* returnsWithout(unlocks: (node: PlainNode) => boolean, statement: PlainNode): Generator<number> {
  if (unlocks(statement) && statement.type !== "if_statement") return;
  const inner = withinBut(statement, (node) => node.type === "func_literal" || isUnlocking(node, unlocks));
  for (const node of inner) if (node.type === "return_statement") yield node.line;
}

/** A block that unlocks, or a condition that may. */
function isUnlocking(node: PlainNode, unlocks: (node: PlainNode) => boolean): boolean {
  return (node.type === "block" || field(node, "condition") !== null) && unlocks(node);
}
