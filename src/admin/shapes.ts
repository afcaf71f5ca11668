/** Schemas that several operations use. */
import { Type } from "@sinclair/typebox";
import { AppError } from "../domain/errors.ts";

/** ISO 8601, UTC. */
export const Timestamp = Type.String({ format: "date-time" });
export const NullableTimestamp = Type.Union([Timestamp, Type.Null()]);

/** A day, or a moment with its offset from UTC. */
export const Instant = Type.String({
  pattern: "^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:\\d\\d))?$",
  description: "a day or a time in ISO 8601, such as 2026-11-21 or 2026-11-21T06:00:00Z",
});

export const Empty = Type.Object({}, { additionalProperties: false });

/** Errors: AppError `validation_failed` for a day that no calendar has. */
export function instant(text: string): Date {
  const at = new Date(text);
  if (!Number.isNaN(at.getTime())) return at;
  throw new AppError("validation_failed", `${text} is no time.`);
}

export function timestamp(at: Date): string {
  return at.toISOString();
}

export function nullableTimestamp(at: Date | null): string | null {
  return at === null ? null : at.toISOString();
}
