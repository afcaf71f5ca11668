/** Kinds of values that TypeBox has no type for. As JSON Schema they are plain `enum`, `integer` and `string`. */
import { Kind, type TSchema, Type, TypeRegistry } from "@sinclair/typebox";
import { isRepositoryName, repositoryNameLengthMax } from "../../domain/repository.ts";

interface TypedSchema<T> extends TSchema {
  static: T;
}

interface Annotations {
  description?: string;
  examples?: readonly unknown[];
}

/** One of the values; the API reference shows it as an `enum`. */
export function OneOf<T extends string>(values: readonly T[], more: Annotations = {}): TypedSchema<T> {
  const literals = values.map((value) => Type.Literal(value));
  return Type.Unsafe<T>(Type.Union(literals, more)) as TypedSchema<T>;
}

/**
 * A whole number in a query: digits and nothing else (`1e1`, `0x10`, ` 5` and `5.0` are none). The router fills the default in
 * and hands on what it checked, text or the default: the handler makes the number.
 */
export function QueryInteger(
  range: { minimum: number; maximum: number; default: number } & Annotations,
): TypedSchema<string | number> {
  return Type.Unsafe<string | number>({
    ...range,
    [Kind]: "QueryInteger",
    type: "integer",
  }) as TypedSchema<string | number>;
}

/** `owner/repo` as the domain defines it. */
export function RepositoryName(more: Annotations = {}): TypedSchema<string> {
  return Type.Unsafe<string>({
    ...more,
    [Kind]: "RepositoryName",
    type: "string",
    pattern: "^[A-Za-z0-9_.~-]+(/[A-Za-z0-9_.~-]+){1,19}$",
    maxLength: repositoryNameLengthMax,
  }) as TypedSchema<string>;
}

/** An instant in an answer. That it is one is known from where it is made and is not checked again, twenty times a list. */
export function Timestamp(description: string): TypedSchema<string> {
  const examples = ["2026-11-21T09:30:00.000Z"];
  return Type.Unsafe<string>({
    ...{ [Kind]: "Any", type: "string", format: "date-time", description, examples },
  }) as TypedSchema<string>;
}

TypeRegistry.Set("QueryInteger", (schema: { minimum: number; maximum: number }, value) => {
  if (!/^\d{1,10}$/.test(String(value))) return false;
  return Number(value) >= schema.minimum && Number(value) <= schema.maximum;
});

TypeRegistry.Set("RepositoryName", (_schema, value) => typeof value === "string" && isRepositoryName(value));
