/** A refusal that is no longer thrown, an error that is no longer caught. */
import { changed, type Rule } from "../rule.ts";
import { type Removal, type RemovalCheck, type Removed, shown } from "./removal.ts";
import { isWord, type Token, textOf } from "./tokens.ts";

const throwRemoved: Rule = {
  id: "any/throw-removed",
  title: "thrown error removed",
  category: "error_handling",
  severity: "medium",
  cwe: 754,
  message: "`{thrown}` is no longer thrown here: who notices this case now?",
  why: "Callers that relied on the error go on as if all were well.",
  advice: "Restore the error, or say in the pull request what happens in its place.",
  placement: "inline",
  doubtful: true,
  bad: [
    changed(
      "src/a.ts",
      "function read(kind) {\n  switch (kind) {\n    case 1:\n      return one();\n    default:\n      throw new RangeError(kind);\n  }\n}\n",
      "function read(kind) {\n  switch (kind) {\n    case 1:\n      return one();\n    default:\n  }\n}\n",
    ),
  ],
  ok: [
    changed(
      "src/a.ts",
      "function read(kind) {\n  a();\n  throw new RangeError(kind);\n}\n",
      "function read(kind) {\n  a();\n  throw new TypeError(kind);\n}\n",
    ),
    changed(
      "src/a.ts",
      "function read(kind) {\n  a();\n  throw new RangeError(kind);\n}\n",
      "function read(kind) {\n  a();\n  fail(new RangeError(kind));\n}\n",
    ),
  ],
};

const handlingRemoved: Rule = {
  id: "any/error-handling-removed",
  title: "error handling removed",
  category: "error_handling",
  severity: "medium",
  cwe: 755,
  message: "`{handler}` went, but what it stood around is still here: who handles its errors now?",
  why: "An error that was handled here now ends whatever called this code.",
  advice: "Restore the handling, or name the caller that does it.",
  placement: "inline",
  doubtful: true,
  bad: [
    changed(
      "shop/a.py",
      "def load(path):\n    try:\n        return read(path)\n    except OSError:\n        return None\n",
      "def load(path):\n    return read(path)\n",
    ),
    changed(
      "src/a.ts",
      "function load(path) {\n  try {\n    go(path);\n  } catch (error) {\n    report(error);\n  }\n}\n",
      "function load(path) {\n  go(path);\n}\n",
    ),
  ],
  ok: [
    changed(
      "shop/a.py",
      "def load(path):\n    try:\n        return read(path)\n    except OSError:\n        return None\n",
      "def load(path):\n    with suppress(OSError):\n        return read(path)\n",
    ),
    changed(
      "src/a.ts",
      "function load(path) {\n  try {\n    go(path);\n  } catch (error) {\n    report(error);\n  }\n}\n",
      "function load(path) {\n  stop();\n}\n",
    ),
  ],
};

export const removedHandling: RemovalCheck = {
  rules: [handlingRemoved, throwRemoved],
  find: (removal) => lostHandler(removal) ?? lostThrow(removal),
};

/** More new words around it: the error may be told in another way. */
const insertedInHunkMax = 8;

function lostThrow({ block, deleted, insertedInBlock, insertedInHunk, addedText }: Removal): Removed | null {
  if (insertedInBlock > 0 || insertedInHunk > insertedInHunkMax) return null;
  const at = deleted.findIndex(({ text }) => text === "throw" || text === "raise");
  const start = deleted[at];
  if (start === undefined || isRethrow(deleted, at) || / (?:throw|raise|panic) /.test(addedText)) return null;
  if (block.before.some(({ text }) => /^(?:catch|except|rescue)$/.test(text))) return null;
  const thrown = deleted.slice(at + 1).filter(({ line }) => line === start.line);
  const name = thrown.filter(({ text }) => text !== "new").slice(0, 1);
  return {
    rule: throwRemoved,
    oldLine: start.line,
    values: { thrown: shown(textOf(thrown)) },
    movedWith: name,
  };
}

/** `raise` alone, `throw error`: not this code's own refusal. */
function isRethrow(deleted: readonly Token[], at: number): boolean {
  const next = deleted[at + 1];
  if (next === undefined || next.line !== deleted[at]?.line) return true;
  return !/^\p{Lu}|^new$/u.test(next.text) && deleted[at + 2]?.text !== "(";
}

function lostHandler({ block, deleted, insertedInBlock, addedText }: Removal): Removed | null {
  if (insertedInBlock > 0 || / (?:catch|except|rescue|suppress|try|with|finally|ensure) /.test(addedText))
    return null;
  const handler = deleted.find(({ text }) => /^(?:catch|except|rescue)$/.test(text));
  const guarded = block.before.filter((token) => isWord(token)).length - deleted.filter(isWord).length;
  if (handler === undefined || (guarded === 0 && hasWholeTry(deleted))) return null;
  const header = deleted.slice(deleted.indexOf(handler)).filter(({ line }) => line === handler.line);
  const text = textOf(header).replace(/ [{:]$/, "");
  return {
    rule: handlingRemoved,
    oldLine: handler.line,
    values: { handler: shown(text) },
    movedWith: header,
  };
}

/** What was tried went with its handling. */
function hasWholeTry(deleted: readonly Token[]): boolean {
  return deleted.some(({ text }) => text === "try" || text === "begin");
}
