/** Pull requests, engines and findings in the words of the product. */
import type { CandidateComment } from "../../src/domain/comment.ts";
import type { ReviewEngine, ReviewEngineInput, ReviewEngineResult } from "../../src/domain/review-engine.ts";
import type { Files } from "./diff-of-files.ts";

export interface PullRequestFixture {
  repository: string;
  number: number;
  title: string;
  base: Files;
  head: Files;
}

export interface PullRequestBuilder extends PullRequestFixture {
  of(repository: string): PullRequestBuilder;
  numbered(number: number): PullRequestBuilder;
  titled(title: string): PullRequestBuilder;
  /** Added lines begin with `+ `, removed ones with `- `, the others with two spaces more than those marks. */
  changing(path: string, patch: string): PullRequestBuilder;
  adding(path: string, content: string | Uint8Array): PullRequestBuilder;
  deleting(path: string, content: string): PullRequestBuilder;
  replacing(path: string, before: string, after: string): PullRequestBuilder;
}

/** `acme/shop#7`, changing nothing yet. */
export function aPullRequest(): PullRequestBuilder {
  return builder({ repository: "acme/shop", number: 7, title: "Change the cart", base: {}, head: {} });
}

function builder(made: PullRequestFixture): PullRequestBuilder {
  const withFile = (path: string, before: string | Uint8Array | null, after: string | Uint8Array | null) =>
    builder({
      ...made,
      base: before === null ? made.base : { ...made.base, [path]: before },
      head: after === null ? made.head : { ...made.head, [path]: after },
    });
  return {
    ...made,
    of: (repository) => builder({ ...made, repository }),
    numbered: (number) => builder({ ...made, number }),
    titled: (title) => builder({ ...made, title }),
    changing: (path, patch) => withFile(path, side(patch, "-"), side(patch, "+")),
    adding: (path, content) => withFile(path, null, content),
    deleting: (path, content) => withFile(path, content, null),
    replacing: (path, before, after) => withFile(path, before, after),
  };
}

/** The file before (`-`) or after (`+`) the patch. */
function side(patch: string, mark: "+" | "-"): string {
  const lines = patch.split("\n").slice(1, -1);
  const margin = Math.min(...lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/)));
  return lines
    .map((line) => line.slice(margin))
    .filter((line) => line.startsWith(mark) || !/^[+-]/.test(line))
    .map((line) => `${line.slice(2)}\n`)
    .join("");
}

/** Says `message` on line 1 of src/cart.ts unless told otherwise. */
export function aFinding(of: Partial<CandidateComment> = {}): CandidateComment {
  return {
    engine: "fake",
    rule: "fake/rule",
    path: "src/cart.ts",
    line: 1,
    startLine: null,
    about: "added",
    severity: "high",
    category: "bug",
    message: "This is wrong.",
    suggestion: null,
    evidence: null,
    cwe: null,
    placement: "inline",
    ...of,
  };
}

/** Reads every file whole and finds what it is given. */
export function anEngine(
  finds:
    | readonly CandidateComment[]
    | ((input: ReviewEngineInput) => Promise<Partial<ReviewEngineResult>>) = [],
  name = "fake",
): ReviewEngine {
  return {
    name,
    close: async () => {},
    async review(input) {
      const found = typeof finds === "function" ? await finds(input) : { candidates: finds };
      const coverage = input.diff.files.map(({ path }) => ({ path, read: "whole" as const, reason: null }));
      return { candidates: [], tokensUsed: 0, coverage, problems: [], ...found };
    },
  };
}

/** Finds `eval(` on added lines, as the built-in engine does, but in ten lines. */
export function anEvalEngine(): ReviewEngine {
  return anEngine(async ({ diff }) => ({
    candidates: diff.files.flatMap((file) =>
      file.hunks.flatMap((hunk) =>
        hunk.lines.flatMap((line) =>
          line.kind === "added" && line.text.includes("eval(")
            ? [
                aFinding({
                  path: file.path,
                  line: line.newLine,
                  evidence: line.text,
                  message: "Runs its input.",
                }),
              ]
            : [],
        ),
      ),
    ),
  }));
}
