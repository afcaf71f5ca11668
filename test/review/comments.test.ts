/** What a review says on lines, and what it keeps to itself. */
import { describe, expect, test } from "bun:test";
import type { CandidateComment } from "../../src/domain/comment.ts";
import { aFinding, anEngine, aPullRequest } from "../support/builders.ts";
import { type Reviewing, reviewing, said } from "./reviewing.ts";

const cart = aPullRequest().changing(
  "src/cart.ts",
  `
    const total = 1;
  + eval(input);
  + pay(total);
    done();
  `,
);

/** Lines 4 and 5 went; line 4 of the head now stands there. */
const guardRemoved = aPullRequest().changing(
  "src/cart.ts",
  `
    a();
    b();
    c();
  - if (!user) throw new Error();
  - check(user);
    pay(user);
    d();
  `,
);

const finds = (...findings: Partial<CandidateComment>[]): Reviewing => ({
  engines: [anEngine(findings.map(aFinding))],
});

describe("commenting on a pull request", () => {
  test("speaks on a line that the pull request added", async () => {
    const review = await reviewing(cart, finds({ line: 2, evidence: "eval(input);" }));
    expect(said(review)).toEqual(["src/cart.ts:2 high bug This is wrong."]);
  });

  test("says nothing about lines the pull request did not touch", async () => {
    const review = await reviewing(cart, finds({ line: 1 }, { line: 4 }, { line: 400 }));
    expect(said(review)).toEqual([]);
  });

  test("says nothing about files the pull request did not touch", async () => {
    const review = await reviewing(cart, finds({ path: "src/ghost.ts", line: 2 }));
    expect(said(review)).toEqual([]);
  });

  test("says nothing when the line does not read as the engine claims", async () => {
    const review = await reviewing(cart, finds({ line: 3, evidence: "eval(input);" }));
    expect(said(review)).toEqual([]);
  });

  test("says nothing when there is nothing to say", async () => {
    const review = await reviewing(cart, finds({ line: 2, message: "  \n" }));
    expect(said(review)).toEqual([]);
  });

  test("speaks about removed code on the line that now stands there", async () => {
    const review = await reviewing(guardRemoved, finds({ line: 4, about: "removed" }));
    expect(said(review)).toEqual(["src/cart.ts:4 high bug This is wrong."]);
  });

  test("does not speak about removed code anywhere else", async () => {
    const review = await reviewing(guardRemoved, finds({ line: 1, about: "removed" }));
    expect(said(review)).toEqual([]);
  });

  test("does not take a line beside removed code for an added one", async () => {
    const review = await reviewing(guardRemoved, finds({ line: 4, about: "added" }));
    expect(said(review)).toEqual([]);
  });

  test("speaks about several lines when they stand together", async () => {
    const review = await reviewing(cart, finds({ line: 3, startLine: 2 }));
    expect(review.comments[0]).toMatchObject({ startLine: 2, line: 3 });
  });

  test("does not speak about lines that the diff does not show together", async () => {
    const filler = Array.from({ length: 20 }, (_, n) => `line${n}();`);
    const far = aPullRequest().replacing(
      "src/cart.ts",
      filler.join("\n"),
      ["first();", ...filler, "last();"].join("\n"),
    );
    const review = await reviewing(far, finds({ line: 22, startLine: 1 }, { line: 1, startLine: 22 }));
    expect(said(review)).toEqual([]);
  });

  test("says what two engines find in one place once, with the suggestion that one of them has", async () => {
    const review = await reviewing(cart, {
      engines: [
        anEngine([aFinding({ line: 2 })]),
        anEngine([
          aFinding({ line: 2, suggestion: "run(input);" }),
          aFinding({ line: 2, category: "security" }),
        ]),
      ],
    });
    expect(review.comments.map(({ category, suggestion }) => ({ category, suggestion }))).toEqual([
      { category: "bug", suggestion: "run(input);" },
      { category: "security", suggestion: null },
    ]);
  });

  test("says the gravest first", async () => {
    const review = await reviewing(
      cart,
      finds(
        { line: 2, severity: "low" },
        { line: 3, severity: "critical" },
        { line: 3, category: "testing" },
      ),
    );
    expect(review.comments.map((comment) => comment.severity)).toEqual(["critical", "high", "low"]);
  });
});

describe("suggesting a replacement", () => {
  const suggestionOf = async (finding: Partial<CandidateComment>) =>
    (await reviewing(cart, finds(finding))).comments[0]?.suggestion;

  test("offers what replaces the commented lines", async () => {
    expect(await suggestionOf({ line: 2, suggestion: "run(input);" })).toBe("run(input);");
  });

  test("offers the empty line", async () => {
    expect(await suggestionOf({ line: 2, suggestion: "" })).toBe("");
  });

  test("does not suggest what stands there already", async () => {
    expect(await suggestionOf({ line: 2, suggestion: "eval(input);" })).toBeNull();
    expect(await suggestionOf({ line: 3, startLine: 2, suggestion: "eval(input);\npay(total);" })).toBeNull();
  });

  test("does not suggest anything for a file that the head no longer has", async () => {
    const review = await reviewing(cart, {
      ...finds({ line: 2, suggestion: "run(input);" }),
      readFile: async () => null,
    });
    expect(review.comments[0]).toMatchObject({ line: 2, suggestion: null });
  });
});

describe("saying only what was asked for", () => {
  const all = finds(
    { line: 2, category: "security", severity: "high" },
    { line: 2, category: "style", severity: "medium" },
    { line: 3, category: "bug", severity: "low" },
    { line: 3, category: "documentation", severity: "info" },
  );
  const categories = async (options: Reviewing["options"]) =>
    (await reviewing(cart, { ...all, options: options ?? {} })).comments.map((comment) => comment.category);

  test("says everything but style, from low on, when nothing was asked for", async () => {
    expect(await categories({})).toEqual(["security", "bug"]);
  });

  test("keeps to the focus areas", async () => {
    expect(await categories({ focusAreas: ["style", "bug"] })).toEqual(["style", "bug"]);
  });

  test("keeps to the severity threshold", async () => {
    expect(await categories({ severityThreshold: "high" })).toEqual(["security"]);
    expect(await categories({ severityThreshold: "info" })).toEqual(["security", "bug", "documentation"]);
  });
});

describe("recognizing a comment again", () => {
  const fingerprints = async (pullRequest: typeof cart, ...findings: Partial<CandidateComment>[]) =>
    (await reviewing(pullRequest, finds(...findings))).comments.map((comment) => comment.fingerprint);

  test("knows it when the lines have moved and the indentation has changed", async () => {
    const moved = aPullRequest().changing(
      "src/cart.ts",
      `
        // new above
        const total = 1;
      +     eval(input);
      + pay( total );
        done();
      `,
    );
    expect(await fingerprints(moved, { line: 3 })).toEqual(await fingerprints(cart, { line: 2 }));
  });

  test("tells different rules, places and files apart", async () => {
    const prints = [
      ...(await fingerprints(
        cart,
        { line: 2 },
        { line: 3 },
        { line: 2, rule: "fake/other", category: "security" },
      )),
      ...(await fingerprints(
        aPullRequest().changing(
          "src/other.ts",
          `
            const total = 1;
          + eval(input);
          + pay(total);
          `,
        ),
        { path: "src/other.ts", line: 2 },
      )),
    ];
    expect(new Set(prints).size).toBe(4);
  });

  test("tells the same code written twice apart", async () => {
    const twice = aPullRequest().adding("src/cart.ts", "a();\neval(x);\nb();\na();\neval(x);\nb();\n");
    const prints = await fingerprints(twice, { line: 2 }, { line: 5 });
    expect(new Set(prints).size).toBe(2);
  });
});
