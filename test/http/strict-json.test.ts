import { describe, expect, test } from "bun:test";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import fc from "fast-check";
import { isAppError } from "../../src/domain/errors.ts";
import { ReviewCreation } from "../../src/http/schemas/review.ts";
import { jsonDepthMax, jsonItemsMax, parseStrictJson } from "../../src/http/strict-json.ts";
import { validationFailed } from "../../src/http/validation-errors.ts";

describe("JSON", () => {
  test("is read as JSON.parse reads it", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.boolean(), (text, spaced) => {
        const value: unknown = JSON.parse(text);
        expect(parseStrictJson(spaced ? JSON.stringify(value, null, 2) : text)).toEqual(value);
      }),
      { seed: 20_261_121 },
    );
  });

  test("that JSON.parse refuses is malformed, and nothing else happens", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), almostJson), (text) => {
        const ours = outcome(() => parseStrictJson(text));
        const theirs = outcome(() => JSON.parse(text));
        expect(ours === "refused" || ours === theirs).toBe(true);
        if (theirs === "refused") expect(ours).toBe("refused");
      }),
      { numRuns: 2_000, seed: 20_261_121 },
    );
  });

  test.each([
    ['{"a":1,"a":2}', true],
    ['{"a":1,"\\u0061":2}', true],
    ['{"a":{"b":1,"b":2}}', true],
    ['[{"a":1},{"a":2}]', false],
    ['{"a":{"a":{"a":1}}}', false],
    ['{"a":"a","b":["a","a"]}', false],
    ['{"a":"{\\"a\\":1,","b":2}', false],
    ['{"a\\\\":1,"a":2}', false],
    ['{"":1,"":2}', true],
  ])("%s names a field twice: %p", (text, twice) => {
    expect(outcome(() => parseStrictJson(text))).toBe(twice ? "refused" : "read");
  });

  test(`may be nested ${jsonDepthMax} levels deep and no more`, () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(outcome(() => parseStrictJson(nested(jsonDepthMax)))).toBe("read");
    expect(outcome(() => parseStrictJson(nested(jsonDepthMax + 1)))).toBe("refused");
    expect(outcome(() => parseStrictJson(`${'{"a":'.repeat(200_000)}1`))).toBe("refused");
  });
});

test("JSON may have 20,000 elements and no more", () => {
  const array = (length: number) => JSON.stringify(Array(length).fill(1));
  expect(outcome(() => parseStrictJson(array(jsonItemsMax)))).toBe("read");
  expect(outcome(() => parseStrictJson(array(jsonItemsMax + 1)))).toBe("refused");
});

test("20,000 random bodies are each valid or refused with at most 20 reasons", () => {
  const schema = TypeCompiler.Compile(ReviewCreation);
  const bodies = fc.sample(
    fc.oneof(
      fc.jsonValue(),
      fc.record({ repository: fc.jsonValue(), pull_request: fc.jsonValue(), options: fc.jsonValue() }),
      fc.dictionary(fc.string(), fc.jsonValue()),
    ),
    { numRuns: 20_000, seed: 20_261_121 },
  );
  for (const body of bodies) {
    if (schema.Check(body)) continue;
    const { fields, message } = validationFailed("body", schema.Errors(body));
    expect(fields.length).toBeGreaterThan(0);
    expect(fields.length).toBeLessThanOrEqual(20);
    expect(message).not.toBeEmpty();
  }
});

const almostJson = fc
  .tuple(fc.json(), fc.nat(), fc.constantFrom("", '"', "{", "}", "[", "]", ",", ":", "\\"))
  .map(
    ([text, at, odd]) =>
      text.slice(0, at % (text.length + 1)) + odd + text.slice((at + 1) % (text.length + 1)),
  );

function outcome(work: () => unknown): "read" | "refused" {
  try {
    work();
    return "read";
  } catch (error) {
    if (error instanceof SyntaxError || isAppError(error, "malformed_json")) return "refused";
    throw error;
  }
}
