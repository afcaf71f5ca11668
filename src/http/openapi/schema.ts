/** From TypeBox schemas to what an OpenAPI document shows. */
import type { TSchema } from "@sinclair/typebox";

export type JsonSchema = { [keyword: string]: unknown };

/** A schema with an `$id` is shown as a reference to the component of that name. */
export function toJsonSchema(schema: TSchema | JsonSchema): JsonSchema {
  return lift(JSON.parse(JSON.stringify(schema)) as JsonSchema) as JsonSchema;
}

/** The same, but the schema itself is spelled out: for the component that others refer to. */
export function toComponent(schema: TSchema): JsonSchema {
  const { $id: _name, ...spelledOut } = schema;
  return toJsonSchema(spelledOut);
}

export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

function lift(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lift);
  if (typeof value !== "object" || value === null) return value;
  const schema = value as JsonSchema;
  if (typeof schema.$id === "string") return reference(schema.$id);
  return simplified(Object.fromEntries(Object.entries(schema).map(([key, held]) => [key, lift(held)])));
}

/** A choice of constants is an `enum`; "or null" is a second type. */
function simplified(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const choices = anyOf as JsonSchema[];
  if (choices.every((choice) => typeof choice.const === "string")) {
    return { ...rest, type: "string", enum: choices.map((choice) => choice.const) };
  }
  const [first, second] = choices;
  if (choices.length !== 2 || second?.type !== "null" || typeof first?.type !== "string") return schema;
  const values = Array.isArray(first.enum) ? { enum: [...first.enum, null] } : {};
  return { ...rest, ...first, ...values, type: [first.type, "null"] };
}
