/** The summary, as the author of a pull request reads it. */
import { describe, expect, test } from "bun:test";
import { aFinding, anEngine, aPullRequest } from "../support/builders.ts";
import { reviewing } from "./reviewing.ts";

const summaryOf = async (...how: Parameters<typeof reviewing>) => (await reviewing(...how)).summary;

const change = aPullRequest()
  .adding("src/cart/total.ts", "eval(a);\neval(b);\n")
  .adding("src/cart/tax.ts", "x\n")
  .adding("src/api/cart.ts", "y\n")
  .adding("README.md", "z\n")
  .adding("go.sum", "sum\n")
  .adding("logo.png", new Uint8Array([0]));

describe("summarizing a review", () => {
  test("says what changed, where to look first, how much there is to say, and what was not read", async () => {
    const engine = anEngine(async ({ diff }) => ({
      candidates: [
        aFinding({
          path: "src/cart/total.ts",
          severity: "critical",
          message: "Runs its input. Use a parser.",
        }),
        aFinding({ path: "src/cart/total.ts", line: 2, severity: "low", message: "Second." }),
        aFinding({ path: "src/api/cart.ts", severity: "low" }),
        aFinding({ path: "README.md", placement: "summary", message: "The usage section is stale." }),
      ],
      coverage: diff.files.map(({ path }) =>
        path === "src/cart/tax.ts"
          ? { path, read: "partly" as const, reason: "took longer than 2 s" }
          : { path, read: "whole" as const, reason: null },
      ),
      problems: ["rule js/x is invalid: no pattern"],
    }));
    expect(await summaryOf(change, { engines: [engine] })).toMatchInlineSnapshot(`
      "6 files changed (+6 −0): 3 in the top folder, 2 in \`src/cart\` and 1 in \`src/api\`.

      Look first at:
      - \`src/cart/total.ts:1\` (critical): Runs its input.

      3 comments: 1 critical and 2 low.

      Worth knowing:
      - \`README.md:1\`: The usage section is stale.

      Not read (2 files):
      - lock file: \`go.sum\`
      - binary: \`logo.png\`

      Read in part:
      - took longer than 2 s: \`src/cart/tax.ts\`

      Note:
      - rule js/x is invalid: no pattern"
    `);
  });

  test("names the largest change when there is nothing to say", async () => {
    expect(await summaryOf(change, { engines: [anEngine()] })).toMatchInlineSnapshot(`
      "6 files changed (+6 −0): 3 in the top folder, 2 in \`src/cart\` and 1 in \`src/api\`.

      The largest change is \`src/cart/total.ts\` (+2 −0).

      No comments of severity low or above.

      Not read (2 files):
      - lock file: \`go.sum\`
      - binary: \`logo.png\`"
    `);
  });

  test("says in what it found nothing", async () => {
    const options = { focusAreas: ["security", "bug"], severityThreshold: "high" } as const;
    const small = aPullRequest().adding("src/cart.ts", "x\n");
    expect(await summaryOf(small, { engines: [anEngine()], options })).toMatchInlineSnapshot(`
      "1 file changed (+1 −0): \`src/cart.ts\`.

      No comments on security and bug of severity high or above."
    `);
  });

  test("says what it held back, and how grave it is", async () => {
    const three = [1, 2, 3].map((line) =>
      aFinding({ path: "a.ts", line, severity: line === 1 ? "high" : "low" }),
    );
    const review = await reviewing(aPullRequest().adding("a.ts", "1\n2\n3\n"), {
      engines: [anEngine(three)],
      limits: { comments: 1 },
    });
    expect(review.comments.map((comment) => comment.line)).toEqual([1]);
    expect(review.summary).toContain("A review has at most 1; 2 more were left out: 2 low.");
  });

  test("tells what is worth knowing once for each rule, however many places have it", async () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      aFinding({
        ...{ path: "src/cart.ts", line: index + 1, placement: "summary" },
        ...{ severity: index === 7 ? "medium" : "low", rule: index === 7 ? "fake/other" : "fake/rule" },
        message: `Line ${index + 1} has it. Look there.`,
      }),
    );
    const lines = Array.from({ length: 30 }, (_, index) => `${index}\n`).join("");
    const summary = await summaryOf(aPullRequest().adding("src/cart.ts", lines), {
      engines: [anEngine(many)],
    });
    expect(summary).toContain(
      [
        "Worth knowing:",
        "- `src/cart.ts:8`: Line 8 has it.",
        "- `src/cart.ts:1`: Line 1 has it. Likewise `src/cart.ts:2`, `src/cart.ts:3`, `src/cart.ts:4` and 25 more places.",
      ].join("\n"),
    );
  });

  test("says that an empty pull request is empty", async () => {
    expect(await summaryOf(aPullRequest(), { engines: [anEngine()] })).toMatchInlineSnapshot(
      `"Nothing changed: the head has nothing that the base lacks."`,
    );
  });

  test("says that nothing was read rather than that nothing is wrong", async () => {
    const binary = aPullRequest().adding("logo.png", new Uint8Array([0]));
    expect(await summaryOf(binary, { engines: [anEngine()] })).toMatchInlineSnapshot(`
      "1 file changed (+0 −0): \`logo.png\`.

      No file was read, so there are no comments.

      Not read (1 file):
      - binary: \`logo.png\`"
    `);
  });

  test("names deeper areas when all files are in one", async () => {
    const inOnePackage = aPullRequest()
      .adding("apps/server/src/cart/total.ts", "x\n")
      .adding("apps/server/src/api/cart.ts", "x\n");
    expect(await summaryOf(inOnePackage)).toStartWith(
      "2 files changed (+2 −0): 1 in `apps/server/src/api` and 1 in `apps/server/src/cart`.",
    );
    const inOneFolder = aPullRequest().adding("src/a.ts", "x\n").adding("src/b.ts", "x\n");
    expect(await summaryOf(inOneFolder)).toStartWith("2 files changed (+2 −0): 2 in `src`.");
  });

  test("names the largest change of the product before larger ones of tests and prose", async () => {
    const tested = aPullRequest()
      .adding("src/cart.ts", "x\n")
      .adding("src/cart.test.ts", "x\nx\nx\n")
      .adding("CHANGELOG.md", "x\nx\n");
    expect(await summaryOf(tested, { engines: [anEngine()] })).toContain(
      "The largest change is `src/cart.ts` (+1 −0).",
    );
  });

  test("takes a full stop within code for no end of a sentence", async () => {
    const said = aFinding({ path: "src/cart.ts", message: "`a . b` is odd. Look there." });
    const one = aPullRequest().adding("src/cart.ts", "x\n");
    expect(await summaryOf(one, { engines: [anEngine([said])] })).toContain("(high): `a . b` is odd.\n");
  });

  test("names files in areas it has no room for by number", async () => {
    const many = ["a", "b", "c", "d", "e", "f"].reduce(
      (made, folder) => made.adding(`${folder}/x.ts`, "x\n"),
      aPullRequest(),
    );
    expect(await summaryOf(many, { engines: [anEngine()] })).toStartWith(
      "6 files changed (+6 −0): 1 in `a`, 1 in `b`, 1 in `c`, 1 in `d` and 2 elsewhere.",
    );
  });

  test("does not let a file's name pass for text of its own", async () => {
    const nasty = aPullRequest().adding("a`\n# Approved\u202E.bin", new Uint8Array([0]));
    expect(await summaryOf(nasty, { engines: [anEngine()] })).not.toContain("\n# Approved");
  });

  test("is the same for the same pull request", async () => {
    const engines = [anEngine([aFinding({ path: "README.md" })])];
    expect(await summaryOf(change, { engines })).toBe(await summaryOf(change, { engines }));
  });
});
