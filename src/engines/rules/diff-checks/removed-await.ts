/** A call whose `await` went although it is still asynchronous. */
import { changed, type Rule } from "../rule.ts";
import type { RemovalCheck } from "./removal.ts";

const awaitRemoved: Rule = {
  id: "any/await-removed",
  title: "await removed from an asynchronous call",
  category: "bug",
  severity: "medium",
  cwe: 362,
  message: "`{name}` is still asynchronous, but nobody waits for it here any more.",
  why: "What follows runs before it is done, and its errors reach nobody.",
  advice: "Put `await` back, or handle the errors of the call where it is made.",
  placement: "inline",
  bad: [
    changed(
      "src/a.ts",
      "async function save() {}\nasync function go() {\n  await save();\n  done();\n}\n",
      "async function save() {}\nasync function go() {\n  save();\n  done();\n}\n",
    ),
    changed(
      "shop/a.py",
      "async def save():\n    pass\n\n\nasync def go():\n    await save()\n    done()\n",
      "async def save():\n    pass\n\n\nasync def go():\n    save()\n    done()\n",
    ),
  ],
  ok: [
    changed(
      "src/a.ts",
      "async function save() {}\nasync function go() {\n  await save();\n}\n",
      "function save() {}\nfunction go() {\n  save();\n}\n",
    ),
    changed(
      "src/a.ts",
      "async function save() {}\nasync function go() {\n  return await save();\n}\n",
      "async function save() {}\nasync function go() {\n  return save();\n}\n",
    ),
    changed(
      "src/a.ts",
      "async function save() {}\nasync function go() {\n  await save();\n}\n",
      "async function save() {}\nasync function go() {\n  void save();\n}\n",
    ),
  ],
};

export const removedAwaits: RemovalCheck = {
  rules: [awaitRemoved],
  find({ file, block, deleted, previous, next, insertedInBlock }) {
    const [removed] = deleted;
    if (removed === undefined || deleted.length !== 1 || removed.text !== "await" || insertedInBlock > 0)
      return null;
    if (next?.line !== removed.line || previous?.line === removed.line) return null;
    const name = calledName(block.before.filter(({ line }) => line === removed.line).map(({ text }) => text));
    if (name === null || !isAsynchronous(file.text, name)) return null;
    return { rule: awaitRemoved, oldLine: removed.line, values: { name }, movedWith: [] };
  },
};

/** `save` of `await store . save ( x )`. */
function calledName(tokens: readonly string[]): string | null {
  const bracket = tokens.indexOf("(");
  const name = tokens[bracket - 1] ?? "";
  return /^[\w$]+$/.test(name) ? name : null;
}

/** Defined as such in the file. */
function isAsynchronous(text: string, name: string): boolean {
  return [`async function ${name}(`, `async def ${name}(`, `async ${name}(`, `${name} = async `].some(
    (definition) => text.includes(definition),
  );
}
