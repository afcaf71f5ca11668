import { describe, expect, test } from "bun:test";
import { type Report, type ReportComment, reportOfLocal } from "../../src/cli/formats/report.ts";
import { asSarif } from "../../src/cli/formats/sarif.ts";
import { asText } from "../../src/cli/formats/text.ts";
import { printable } from "../../src/cli/printable.ts";
import { table } from "../../src/cli/table.ts";

const comment: ReportComment = {
  ...{ path: "src/cart.ts", line: 12, start_line: null, severity: "high", category: "security" },
  ...{ message: "Runs its input.\nParse it instead.", suggestion: null, rule: "rules/js/eval", cwe: 95 },
  fingerprint: "f97e4b5c4ac847cd",
};

function report(...comments: Partial<ReportComment>[]): Report {
  const all = comments.map((of) => ({ ...comment, ...of }));
  return { subject: "acme/shop#7", summary: "1 file changed.\n", comments: all, document: {} };
}

describe("a review for people", () => {
  test("shows where, how serious, what, and what to write instead", () => {
    const shown = asText(
      report({}, { start_line: 10, severity: "low", suggestion: "const total =\n  1;" }, { suggestion: "" }),
      { color: false },
    );
    expect(shown).toMatchInlineSnapshot(`
      "acme/shop#7: 3 comments

      src/cart.ts:12  high security rules/js/eval
        Runs its input.
        Parse it instead.

      src/cart.ts:10-12  low security rules/js/eval
        Runs its input.
        Parse it instead.
        Suggestion:
          const total =
            1;

      src/cart.ts:12  high security rules/js/eval
        Runs its input.
        Parse it instead.
        Suggestion: remove it.

      1 file changed.
      "
    `);
  });

  test("is short when there is nothing to say", () => {
    expect(asText(report(), { color: false })).toBe("acme/shop#7: 0 comments\n\n1 file changed.\n");
  });

  test("has colors where they are wanted, and no escape sequence elsewhere", () => {
    expect(asText(report({}), { color: true })).toContain("\u001b[31mhigh\u001b[0m");
    expect(asText(report({}), { color: false })).not.toContain("\u001b");
  });

  test("does not let a pull request write to the terminal", () => {
    const hostile = "\u001b[2J\u001b]0;owned\u0007\r\u009b31m\u202egnp.exe";
    const shown = asText(report({ path: `src/${hostile}`, message: hostile, suggestion: hostile }), {
      color: false,
    });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(shown).toContain("\\u{1b}[2J");
  });
});

test("printable text keeps everything else: newlines, tabs, every script", () => {
  const text = "tabs\t, lines\n, ünïcödé, 日本語, עברית, 👩‍💻";
  expect(printable(text)).toBe(text);
});

describe("a review as SARIF", () => {
  const log = JSON.parse(
    asSarif(
      report(
        {},
        { rule: "rules/py/exec", severity: "medium", suggestion: "parse(x)", start_line: 11, cwe: null },
      ),
    ),
  );

  test("says what it is, and who made it", () => {
    expect(log).toMatchObject({
      $schema: "https://json.schemastore.org/sarif-2.1.0.json",
      version: "2.1.0",
      runs: [
        {
          tool: { driver: { name: "Plumbline", rules: [{ id: "rules/js/eval" }, { id: "rules/py/exec" }] } },
        },
      ],
    });
  });

  test("has a result for each comment, by which tools know it again", () => {
    expect(log.runs[0].results).toEqual([
      {
        ...{ ruleId: "rules/js/eval", ruleIndex: 0, level: "error" },
        message: { text: comment.message },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: "src/cart.ts" },
              region: { startLine: 12, endLine: 12 },
            },
          },
        ],
        partialFingerprints: { "plumbline/v1": "f97e4b5c4ac847cd" },
        properties: { severity: "high", category: "security", tags: ["external/cwe/cwe-95"] },
      },
      expect.objectContaining({
        ...{ ruleId: "rules/py/exec", ruleIndex: 1, level: "warning" },
        fixes: [
          {
            artifactChanges: [
              {
                artifactLocation: { uri: "src/cart.ts" },
                replacements: [
                  { deletedRegion: { startLine: 11, endLine: 12 }, insertedContent: { text: "parse(x)" } },
                ],
              },
            ],
          },
        ],
        properties: { severity: "medium", category: "security" },
      }),
    ]);
  });

  test("names files by relative addresses, whatever their names", () => {
    const { runs } = JSON.parse(asSarif(report({ path: "a b/%41/ü#?.ts" })));
    const { uri } = runs[0].results[0].locations[0].physicalLocation.artifactLocation;
    expect(uri).toBe("a%20b/%2541/%C3%BC%23%3F.ts");
    expect(decodeURIComponent(uri)).toBe("a b/%41/ü#?.ts");
  });

  test("is valid without any comment", () => {
    expect(JSON.parse(asSarif(report())).runs[0].results).toEqual([]);
  });
});

test("a local review has the fields of the API", () => {
  const { document } = reportOfLocal(
    {
      ...{ summary: "s", problems: [], engineFailures: [], baseSha: "b", headSha: "h" },
      metrics: { filesAnalyzed: 1, tokensUsed: 2, durationSeconds: 3 },
      comments: [
        {
          ...{
            path: "a.ts",
            line: 2,
            startLine: 1,
            severity: "low",
            category: "bug",
            message: "m",
            suggestion: null,
          },
          ...{ engine: "rules", rule: "js/x", cwe: null, fingerprint: "f" },
        },
      ],
    },
    "a..b",
  );
  expect(document).toEqual({
    ...{ range: "a..b", base_sha: "b", head_sha: "h", summary: "s" },
    comments: [
      {
        ...{ path: "a.ts", line: 2, start_line: 1, severity: "low", category: "bug", message: "m" },
        ...{ suggestion: null, rule: "rules/js/x", cwe: null, fingerprint: "f" },
      },
    ],
    metrics: { files_analyzed: 1, tokens_used: 2, duration_seconds: 3 },
  });
});

test("a table is as wide as its widest cells, wide characters counted, and empty without rows", () => {
  expect(
    table(
      ["ID", "NAME"],
      [
        ["1", "日本"],
        ["22", "x"],
      ],
    ),
  ).toBe("ID  NAME\n1   日本\n22  x\n");
  expect(table(["A", "B"], [["日本", "x"]])).toBe("A     B\n日本  x\n");
  expect(table(["ID"], [])).toBe("");
  expect(table(["ID"], [["\u001b[31m"]])).toContain("\\u{1b}");
});
