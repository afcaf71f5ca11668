/** A test that asserts less than before, or that does not run any more. */

import type { Detector } from "../detector.ts";
import { changed, type Finding, findingAt, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { type RemovalCheck, shown } from "./removal.ts";
import { textOf } from "./tokens.ts";

const assertionRemoved: Rule = {
  id: "any/assertion-removed",
  title: "assertion removed from a test",
  category: "testing",
  severity: "low",
  cwe: null,
  message: "`{assertion}` is no longer asserted: is the behavior given up, or only the test of it?",
  why: "The test still passes when what it asserted breaks.",
  advice: "Restore the assertion, or say in the pull request why the behavior may change.",
  placement: "summary",
  bad: [
    changed(
      "test/a.test.ts",
      'test("adds", () => {\n  const sum = add(1, 2);\n  expect(sum).toBe(3);\n  expect(log).toEqual([]);\n});\n',
      'test("adds", () => {\n  const sum = add(1, 2);\n  expect(log).toEqual([]);\n});\n',
    ),
  ],
  ok: [
    changed(
      "test/a.test.ts",
      'test("adds", () => {\n  expect(add(1, 2)).toBe(3);\n});\n',
      'test("adds", () => {\n  expect(add(1, 2)).toEqual(3);\n});\n',
    ),
    changed(
      "tests/test_a.py",
      "def test_a():\n    assert a() == 1\n\n\ndef test_b():\n    assert b() == 1\n",
      "def test_b():\n    assert b() == 1\n",
    ),
  ],
};

const assertion = /^(?:assert\w*|expect\w*|should|require\.\w+|verify)$/i;

export const removedAssertions: RemovalCheck = {
  rules: [assertionRemoved],
  find({ deleted, insertedInHunk }) {
    if (insertedInHunk > 0) return null;
    const found = deleted.find(
      ({ text }, index) => assertion.test(text) && deleted[index - 1]?.text !== "import",
    );
    if (
      found === undefined ||
      deleted.some(({ text }) => /^(?:def|func|function|void|it|test|fn|import)$/.test(text))
    )
      return null;
    const statement = deleted.filter(({ line }) => line === found.line);
    const values = { assertion: shown(textOf(statement).replace(/ ;$/, "")) };
    return { rule: assertionRemoved, oldLine: found.line, values, movedWith: statement };
  },
};

const testSkipped: Rule = {
  id: "any/test-skipped",
  title: "existing test switched off",
  category: "testing",
  severity: "medium",
  cwe: null,
  message: "This test ran before and is skipped now.",
  why: "What it held to its promise can break unseen, and skipped tests are seldom switched on again.",
  advice: "Mend the test or the code, or say beside the skip what has to happen before it runs again.",
  placement: "inline",
  bad: [
    changed(
      "test/a.test.ts",
      'test("adds", () => {\n  expect(add(1, 2)).toBe(3);\n});\n',
      'test.skip("adds", () => {\n  expect(add(1, 2)).toBe(3);\n});\n',
    ),
    changed(
      "tests/test_a.py",
      "import pytest\n\n\ndef test_a():\n    assert a() == 1\n",
      "import pytest\n\n\n@pytest.mark.skip\ndef test_a():\n    assert a() == 1\n",
    ),
    changed(
      "src/test/java/ATest.java",
      "class ATest {\n  @Test\n  void adds() {\n    assertEquals(3, add(1, 2));\n  }\n}\n",
      "class ATest {\n  @Test\n  @Disabled\n  void adds() {\n    assertEquals(3, add(1, 2));\n  }\n}\n",
    ),
  ],
  ok: [
    changed(
      "test/a.test.ts",
      "a();\n",
      'a();\ntest.skip("adds", () => {\n  expect(add(1, 2)).toBe(3);\n});\n',
    ),
    changed(
      "tests/test_a.py",
      "import pytest\n\n\ndef test_a():\n    assert a() == 1\n",
      'import pytest\n\n\n@pytest.mark.skip(reason="the fake clock is missing, #12")\ndef test_a():\n    assert a() == 1\n',
    ),
  ],
};

/** Without a reason; what is skipped on a condition is not switched off. */
const skippedCall =
  /^\s*(?:(?:it|test|describe|context|suite)\.skip|x(?:it|test|describe|context))\s*\((.*)$/;
const runningCall = /^\s*(?:it|test|describe|context|suite)\s*\((.*)$/;
const skippedByMark =
  /^\s*(?:@pytest\.mark\.skip(?:\(\))?|@unittest\.skip(?:\(\))?|@Disabled|@Ignore|#\[ignore\]|\[Ignore\])\s*$/;

export const skippedTests: Detector = {
  rules: [testSkipped],
  appliesTo: (file) => file.isTest && file.diff.change !== "added",
  *find(file: SourceFile): Generator<Finding> {
    for (const { lines } of file.diff.hunks) {
      const ran = lines.flatMap((line) =>
        line.kind === "removed" ? [runningCall.exec(line.text)?.[1]] : [],
      );
      const skippedBefore = lines.some((line) => line.kind === "removed" && isSkip(line.text));
      for (const [index, line] of lines.entries()) {
        // What has a comment above has its reason there.
        if (
          line.kind !== "added" ||
          skippedBefore ||
          /^\s*(?:\/\/|#\s|\*)/.test(lines[index - 1]?.text ?? "")
        )
          continue;
        const call = skippedCall.exec(line.text)?.[1];
        const marked = skippedByMark.test(line.text) && lines[index + 1]?.kind === "context";
        if (marked || (call !== undefined && ran.includes(call))) yield findingAt(testSkipped, line.newLine);
      }
    }
  },
};

function isSkip(text: string): boolean {
  return skippedCall.test(text) || skippedByMark.test(text);
}
