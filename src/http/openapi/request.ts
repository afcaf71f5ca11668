/** What an operation takes: parameters and body. */
import type { TSchema } from "@sinclair/typebox";
import { readsQuery } from "../routes/operations.ts";
import type { CollectedOperation } from "./collected.ts";
import { parameters as headerParameters } from "./components.ts";
import type { RouteNotes } from "./documented.ts";
import { type JsonSchema, toJsonSchema } from "./schema.ts";

/** Those in path, query and headers. */
export function parametersOf(path: string, collected: CollectedOperation, notes: RouteNotes): JsonSchema[] {
  const own = (collected.parameters ?? []).map((parameter) =>
    toParameter(parameter.name, parameter.in, parameter),
  );
  const input = notes.operation === undefined ? [] : operationParameters(path, notes.operation);
  const read = ["X-Request-Id" as const, ...(notes.reads ?? [])];
  const fromInput = new Set(input.map((parameter) => parameter.name));
  return [
    ...own.filter((parameter) => !fromInput.has(parameter.name)),
    ...input,
    ...read.map((name) => ({ $ref: `#/components/parameters/${headerParameters[name].name}` })),
  ];
}

function toParameter(
  name: string,
  place: string,
  o: { description?: string; schema: JsonSchema; required?: boolean; examples?: unknown[] },
): JsonSchema {
  const { description, examples, ...schema } = toJsonSchema(o.schema);
  const said = o.description ?? description;
  const [example] = o.examples ?? (Array.isArray(examples) ? examples : []);
  return {
    name,
    in: place,
    ...(said !== undefined && { description: said }),
    required: place === "path" || o.required === true,
    schema,
    ...(example !== undefined && { example }),
  };
}

type NotedOperation = NonNullable<RouteNotes["operation"]>;

/** Fields of the input that are in the path, and of one without a body all others too. */
function operationParameters(path: string, { method, input }: NotedOperation): JsonSchema[] {
  return Object.entries(propertiesOf(input)).flatMap(([name, schema]) => {
    if (path.includes(`{${name}}`)) return [toParameter(name, "path", { schema })];
    if (!readsQuery({ method })) return [];
    return [toParameter(name, "query", { schema, required: requiredOf(input).includes(name) })];
  });
}

/** `requestBody`, for an operation that has one. */
export function bodyOf(path: string, collected: CollectedOperation, notes: RouteNotes): JsonSchema {
  const collectedSchema = Object.values(collected.requestBody?.content ?? {})[0]?.schema;
  const schema = notes.operation === undefined ? collectedSchema : operationBody(path, notes.operation);
  if (schema === undefined) return {};
  const example = notes.requestExample === undefined ? {} : { example: notes.requestExample };
  const required = notes.operation === undefined || requiredOf(schema).length > 0;
  return {
    requestBody: { required, content: { "application/json": { schema: toJsonSchema(schema), ...example } } },
  };
}

function operationBody(path: string, { method, input }: NotedOperation): JsonSchema | undefined {
  const fields = Object.entries(propertiesOf(input)).filter(([name]) => !path.includes(`{${name}}`));
  if (readsQuery({ method }) || fields.length === 0) return undefined;
  const names = fields.map(([name]) => name);
  return {
    ...input,
    properties: Object.fromEntries(fields),
    required: requiredOf(input).filter((name) => names.includes(name)),
  };
}

function propertiesOf(schema: TSchema | JsonSchema): Record<string, JsonSchema> {
  return (schema.properties ?? {}) as Record<string, JsonSchema>;
}

function requiredOf(schema: TSchema | JsonSchema): string[] {
  return (schema.required ?? []) as string[];
}
