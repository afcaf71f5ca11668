/** What TypeBox found wrong, in words for whoever sent it. The submitted value is never repeated. */
import type { TSchema } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { AppError, type FieldError } from "../domain/errors.ts";

/** Where the value came from: fields of a body are named by JSON Pointer, parameters by name. */
export type Origin = "body" | "query" | "path";

const errorsMax = 20;

/** AppError `validation_failed` listing at most 20 of the errors, one a field. */
export function validationFailed(origin: Origin, found: Iterable<ValueError>): AppError {
  const fields = new Map<string, FieldError>();
  for (const error of found) {
    if (fields.size >= errorsMax) break;
    if (!fields.has(error.path)) fields.set(error.path, toFieldError(origin, error));
  }
  const listed = [...fields.values()];
  return new AppError("validation_failed", summary(origin, listed), { fields: listed });
}

function summary(origin: Origin, fields: readonly FieldError[]): string {
  const [first] = fields;
  if (first === undefined) return "The request is not valid.";
  const more = fields.length === 1 ? "" : ` ${fields.length - 1} more in \`errors\`.`;
  const subject = first.path === "" && origin === "body" ? "The body" : `\`${first.path}\``;
  return `${subject} ${first.message}.${more}`;
}

function toFieldError(origin: Origin, error: ValueError): FieldError {
  const path = origin === "body" ? error.path : error.path.slice(1);
  return { path: path.slice(0, 200), ...explain(origin, error.type, error.schema) };
}

function explain(origin: Origin, type: ValueErrorType, schema: TSchema): Omit<FieldError, "path"> {
  switch (type) {
    case ValueErrorType.ObjectRequiredProperty:
      return { code: "required", message: "is required" };
    case ValueErrorType.ObjectAdditionalProperties:
      return origin === "body"
        ? { code: "unknown_field", message: "is not a field of this request" }
        : { code: "unknown_parameter", message: "is not a parameter of this address" };
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.IntegerMaximum:
      return { code: "out_of_range", message: `must be ${expected(schema)}` };
    case ValueErrorType.ArrayMaxItems:
    case ValueErrorType.ArrayMinItems:
      return { code: "out_of_range", message: `must be ${expected(schema)}` };
    case ValueErrorType.StringMaxLength:
    case ValueErrorType.StringMinLength:
    case ValueErrorType.StringPattern:
    case ValueErrorType.StringFormat:
      return { code: "invalid_format", message: `must be ${expected(schema)}` };
    case ValueErrorType.Kind:
    case ValueErrorType.Union:
      return { code: "invalid_value", message: `must be ${expected(schema)}` };
    default:
      return { code: "wrong_type", message: `must be ${expected(schema)}` };
  }
}

function expected(schema: TSchema): string {
  if (Array.isArray(schema.anyOf))
    return `one of ${schema.anyOf.map(({ const: value }) => value).join(", ")}`;
  if (schema.pattern !== undefined && schema.maxLength !== undefined)
    return "`owner/repo` with 2 to 20 segments";
  if (schema.type === "integer") return `a whole number${rangeOf(schema.minimum, schema.maximum)}`;
  if (schema.type === "array") return `an array${rangeOf(schema.minItems, schema.maxItems)}`;
  if (schema.type === "object") return "a JSON object";
  if (schema.type === "boolean") return "true or false";
  return "a string";
}

function rangeOf(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? "" : ` of at most ${maximum}`;
}
