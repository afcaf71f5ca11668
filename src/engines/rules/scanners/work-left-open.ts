/** Comments in which the author says that the work is not done. */
import type { Detector } from "../detector.ts";
import { changed, type Finding, findingAt, newFile, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { stoodBefore } from "./stood-before.ts";

const notToBeMerged: Rule = {
  id: "any/not-to-be-merged",
  title: "comment that forbids the merge",
  category: "maintainability",
  severity: "medium",
  cwe: 546,
  message: "The comment says `{mark}`.",
  why: "What it warns of goes out with the merge.",
  advice: "Do what it asks for, or remove it when that is done.",
  placement: "inline",
  bad: [
    newFile("src/a.ts", "// DO NOT MERGE: prints tokens\nshow(user);\n"),
    newFile("src/a.py", "# remove before merging\nshow(user)\n"),
    newFile("a.go", "package a\n\nvar url = local // NOCOMMIT\n"),
  ],
  ok: [
    newFile("src/a.ts", "// Does not merge cells.\nshow(user);\n"),
    newFile("src/a.ts", "// Items that we do not merge keep their ids.\nshow(user);\n"),
    newFile("src/a.ts", 'label("DO NOT MERGE");\n'),
  ],
};

const workLeftOpen: Rule = {
  id: "any/work-left-open",
  title: "new note of work that is still to do",
  category: "maintainability",
  severity: "low",
  cwe: 546,
  message: "A new `{mark}` names no issue.",
  why: "Nobody finds it again but by chance.",
  advice: "Open an issue and name it here, or do it now.",
  placement: "summary",
  bad: [
    newFile("src/a.ts", "// TODO: the other currencies\nshow(price);\n"),
    newFile("src/a.py", "show(price)  # FIXME rounds twice\n"),
  ],
  ok: [
    newFile("src/a.ts", "// TODO(#12): the other currencies\nshow(price);\n"),
    newFile("src/a.ts", "// TODO see https://example.com/issues/12\nshow(price);\n"),
    newFile("src/a.py", "# TODO SHOP-12: the other currencies\nshow(price)\n"),
    newFile("i18n/de.php", "<?php\n$add = 'Add'; // TODO\n"),
    newFile("src/a.ts", "// The TODO list of a user.\nshow(list);\n"),
    changed(
      "src/a.ts",
      "// TODO: taxes\nshow(price);\n",
      "if (price) {\n  // TODO: taxes\n  show(price);\n}\n",
    ),
  ],
};

const marks = "TODO|FIXME|XXX|HACK";
const comment = "(?:\\/\\/|#|\\/\\*|<!--|--|^\\s*\\*)[\\s*!]{0,5}";
const forbidding = new RegExp(
  `${comment}(?:(?:${marks}):? )?(?<mark>DO ?N[O']T (?:MERGE|COMMIT|SUBMIT)|NO-?(?:COMMIT|MERGE|SUBMIT)\\b|(?:[Rr]emove|REMOVE|[Rr]evert|REVERT) (?:this )?(?:before|BEFORE) (?:merg|MERG|commit|COMMIT|releas|RELEAS)\\w*)`,
);
const open = new RegExp(`${comment}@?(?<mark>${marks})(?=[\\s:(])(?<note>.*)`);
/** A mark alone says nothing: translators put it behind what is not translated yet. */
function isNote(note: string): boolean {
  return /\p{L}{2}/u.test(note) && !issue.test(note);
}

const issue = /#\d|https?:\/\/|\b[A-Z][A-Z\d]+-\d+|\bGH-?\d/;

const prose = /\.(?:md|mdx|rst|txt|adoc)$/i;
const lineLengthMax = 500;

export const workLeftOpenNotes: Detector = {
  rules: [notToBeMerged, workLeftOpen],
  appliesTo: (file) => file.language !== "json" && !prose.test(file.path),
  *find(file: SourceFile): Generator<Finding> {
    for (const { line, text } of file.addedLines()) {
      if (text.length > lineLengthMax || stoodBefore(file, text)) continue;
      const forbidden = forbidding.exec(text)?.groups?.mark;
      if (forbidden !== undefined) yield findingAt(notToBeMerged, line, { mark: forbidden });
      const { mark, note = "" } = open.exec(text)?.groups ?? {};
      if (mark !== undefined && forbidden === undefined && !file.isTest && isNote(note))
        yield findingAt(workLeftOpen, line, { mark });
    }
  },
};
