/** Schemas that several operations use. */
import { Type } from "@sinclair/typebox";

/** ISO 8601, UTC. */
export const Timestamp = Type.String({ format: "date-time" });
export const NullableTimestamp = Type.Union([Timestamp, Type.Null()]);

export const Empty = Type.Object({}, { additionalProperties: false });

export function timestamp(at: Date): string {
  return at.toISOString();
}

export function nullableTimestamp(at: Date | null): string | null {
  return at === null ? null : at.toISOString();
}
