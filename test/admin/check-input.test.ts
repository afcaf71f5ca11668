import { describe, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { checkInput } from "../../src/admin/check-input.ts";
import { redeliverFailed } from "../../src/admin/deliveries.ts";
import { setEndpoint } from "../../src/admin/endpoint.ts";
import { createKey } from "../../src/admin/keys.ts";
import { setOrganizationPlan, setPlan } from "../../src/admin/plans.ts";
import { createReview } from "../../src/admin/reviews.ts";
import { AppError } from "../../src/domain/errors.ts";

describe("an operation's input that is wrong is explained", () => {
  const secret = "hunter2hunter2";
  test.each<[string, TSchema, unknown, string, string]>([
    ["missing", createKey.input, {}, "required", "name is required."],
    ["unknown", createKey.input, { name: "x", secret }, "unknown_field", "secret is no field of this."],
    [
      "of another type",
      createKey.input,
      { name: [secret] },
      "wrong_type",
      "name must be text of 1 to 100 characters.",
    ],
    [
      "too short",
      createKey.input,
      { name: "" },
      "invalid_format",
      "name must be text of 1 to 100 characters.",
    ],
    [
      "not offered",
      createKey.input,
      { name: "x", role: secret },
      "invalid_value",
      "role must be member or admin.",
    ],
    [
      "too large",
      createKey.input,
      { name: "x", expires_in_days: 9999 },
      "out_of_range",
      "expires_in_days must be a whole number from 1 to 3650.",
    ],
    [
      "text for a number",
      setPlan.input,
      { name: "x", credits_per_month: "5" },
      "wrong_type",
      "credits_per_month must be a whole number from 0 to 1000000000.",
    ],
    [
      "neither one nor the other",
      setOrganizationPlan.input,
      { credits_per_month: -1 },
      "invalid_value",
      "credits_per_month must be a whole number from 0 to 1000000000 or null.",
    ],
    [
      "of a shape that only words can tell",
      redeliverFailed.input,
      { since: secret },
      "invalid_format",
      "since must be a day or a time in ISO 8601, such as 2026-11-21 or 2026-11-21T06:00:00Z.",
    ],
    [
      "repeated",
      setEndpoint.input,
      { url: "https://x", events: ["review.failed", "review.failed"] },
      "out_of_range",
      "events must be a list without repetitions.",
    ],
    [
      "wrong in a list",
      createReview.input,
      { repository: "a/b", pull_request: 1, focus_areas: ["bug", secret] },
      "invalid_value",
      "focus_areas/1 must be bug or security or performance or error_handling or concurrency or data_integrity or api_compatibility or maintainability or testing or documentation or style or dependency or configuration.",
    ],
    ["no object", createKey.input, secret, "wrong_type", "The input must be an object."],
  ])("when it is %s", (_what, schema, input, code, message) => {
    const error = refusal(schema, input);
    expect(error.message).toBe(message);
    expect(error.fields.map((field) => field.code)).toEqual([code]);
    expect(JSON.stringify([error.message, error.fields])).not.toContain(secret);
  });

  test("field by field", () => {
    const { fields } = refusal(setPlan.input, { name: "A B", credits_per_month: 0.5, more: 1 });
    expect(fields.map(({ path }) => path).sort()).toEqual(["/credits_per_month", "/more", "/name"]);
  });
});

function refusal(schema: TSchema, input: unknown): AppError {
  try {
    checkInput(schema, input);
  } catch (error) {
    if (error instanceof AppError && error.kind === "validation_failed") return error;
    throw error;
  }
  throw new Error("it was taken");
}
