/** What every review engine promises (src/domain/review-engine.ts), whatever it finds. */
import { afterAll, describe, expect, test } from "bun:test";
import { addedLines } from "../../src/domain/diff.ts";
import type { ReviewEngine, ReviewEngineInput } from "../../src/domain/review-engine.ts";
import { aPullRequest } from "../engines/a-pull-request.ts";

export interface ReviewEngineSubject {
  create(): ReviewEngine;
  /** A pull request in which the engine has something to say. */
  withFaults: ReviewEngineInput;
}

const garbage: Readonly<Record<string, string>> = {
  "nul.js": "const a = 1;\u0000\u0000eval(b);\n",
  "lone-surrogate.js": "const a = '\ud800'; eval(b);\n",
  "minified.js": `${"a(b);".repeat(200_000)}\n`,
  "one-line.json": `[${"1,".repeat(500_000)}1]\n`,
  "nested.js": `${"[".repeat(50_000)}${"]".repeat(50_000)};\n`,
  "unclosed.py": `${"(".repeat(50_000)}\n`,
  "crlf.py": "import os\r\nx = eval(y)\r\n",
  "noise.go": Array.from({ length: 5_000 }, (_, n) => String.fromCharCode(33 + ((n * 7919) % 0x2fff))).join(
    "",
  ),
  "empty.ts": "\n",
  "no-final-newline.ts": "debugger;",
};

export function reviewEngineContract(name: string, subject: ReviewEngineSubject): void {
  describe(`the ${name} engine`, () => {
    const engine = subject.create();
    afterAll(() => engine.close());

    test("finds something in a pull request with faults, only on its lines", async () => {
      const { candidates } = await engine.review(subject.withFaults);
      expect(candidates.length).toBeGreaterThan(0);
      expectOnlyLinesOfTheDiff(subject.withFaults, candidates);
    });

    test("says the same about the same pull request every time", async () => {
      const first = await engine.review(subject.withFaults);
      const again = await engine.review(subject.withFaults);
      expect(JSON.stringify(again)).toBe(JSON.stringify(first));
    });

    test("stops when it is told to", async () => {
      const stopped = AbortSignal.abort(new Error("superseded"));
      expect(engine.review({ ...subject.withFaults, signal: stopped })).rejects.toThrow("superseded");
    });

    test("says nothing about an empty pull request", async () => {
      const { candidates, problems } = await engine.review(aPullRequest({}));
      expect({ candidates, problems }).toEqual({ candidates: [], problems: [] });
    });

    test.each(Object.entries(garbage))(
      "survives %s",
      async (path, text) => {
        const input = aPullRequest({ [path]: { before: null, after: text } });
        const { candidates, coverage } = await engine.review(input);
        expect(coverage.map((file) => file.path)).toEqual([path]);
        expectOnlyLinesOfTheDiff(input, candidates);
      },
      20_000,
    );
  });
}

function expectOnlyLinesOfTheDiff(
  input: ReviewEngineInput,
  candidates: Awaited<ReturnType<ReviewEngine["review"]>>["candidates"],
): void {
  for (const candidate of candidates) {
    const file = input.diff.files.find((changed) => changed.path === candidate.path);
    if (file === undefined) throw new Error(`${candidate.path} is not in the diff`);
    const shown = file.hunks.flatMap((hunk) => hunk.lines).filter((line) => line.kind !== "removed");
    const lines = candidate.about === "added" ? addedLines(file) : shown.map((line) => line.newLine);
    expect(lines).toContain(candidate.line);
    if (candidate.startLine !== null) expect(lines).toContain(candidate.startLine);
    expect(candidate.evidence).toBe(shown.find((line) => line.newLine === candidate.line)?.text ?? null);
  }
}
