/** What is wrong with an operation's input, in words for whoever gave it. The values themselves are never repeated. */
import type { TSchema } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { Value } from "@sinclair/typebox/value";
import { AppError, type FieldError } from "../domain/errors.ts";

/** Answers the input with the schema's defaults. Errors: AppError `validation_failed` with one error a field. */
export function checkInput(schema: TSchema, input: unknown): unknown {
  const value = Value.Default(schema, structuredClone(input));
  const fields = new Map<string, FieldError>();
  for (const error of Value.Errors(schema, value)) {
    if (!fields.has(error.path)) fields.set(error.path, { path: error.path, ...explained(error) });
  }
  if (fields.size === 0) return value;
  const listed = [...fields.values()];
  const message = listed.map((field) => `${field.path.slice(1) || "The input"} ${field.message}.`).join("\n");
  throw new AppError("validation_failed", message, { fields: listed });
}

function explained({ type, schema }: ValueError): Omit<FieldError, "path"> {
  switch (type) {
    case ValueErrorType.ObjectRequiredProperty:
      return { code: "required", message: "is required" };
    case ValueErrorType.ObjectAdditionalProperties:
      return { code: "unknown_field", message: "is no field of this" };
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.ArrayUniqueItems:
      return { code: "out_of_range", message: `must be ${expected(schema)}` };
    case ValueErrorType.StringMinLength:
    case ValueErrorType.StringMaxLength:
    case ValueErrorType.StringPattern:
      return { code: "invalid_format", message: `must be ${expected(schema)}` };
    case ValueErrorType.Union:
    case ValueErrorType.Literal:
      return { code: "invalid_value", message: `must be ${expected(schema)}` };
    default:
      return { code: "wrong_type", message: `must be ${expected(schema)}` };
  }
}

/** A schema whose shape does not tell what it expects says so in its description. */
function expected(schema: TSchema): string {
  if (schema.description !== undefined) return schema.description;
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map(expected).join(" or ");
  if (schema.const !== undefined) return String(schema.const);
  switch (schema.type) {
    case "integer":
      return `a whole number${between(schema.minimum, schema.maximum)}`;
    case "string":
      return `text${between(schema.minLength, schema.maxLength, " of", " characters")}`;
    case "array":
      return schema.uniqueItems ? "a list without repetitions" : "a list";
    case "boolean":
      return "true or false";
    case "null":
      return "null";
    default:
      return "an object";
  }
}

function between(least?: number, most?: number, before = "", after = ""): string {
  if (least !== undefined && most !== undefined) return `${before || " from"} ${least} to ${most}${after}`;
  if (least !== undefined) return `${before || " of"} at least ${least}${after}`;
  return most === undefined ? "" : `${before || " of"} at most ${most}${after}`;
}
