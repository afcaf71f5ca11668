/** Completes one operation of the OpenAPI document: parameters, body, answers, errors, headers, security. */
import type { TSchema } from "@sinclair/typebox";
import { type ErrorKind, errorKinds } from "../../domain/errors.ts";
import { errorCatalogue } from "../error-catalogue.ts";
import { isGuarded } from "../front-door.ts";
import { readsQuery } from "../routes/operations.ts";
import { type HeaderName, parameters as headerParameters } from "./components.ts";
import { notesKey, type RouteNotes } from "./documented.ts";
import { type JsonSchema, reference, toJsonSchema } from "./schema.ts";

/** An operation as @elysiajs/swagger collects it. */
export interface CollectedOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: { name: string; in: string; description?: string; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  /** The answer's schema is spread over the answer; of it only `$id` and `description` are of use. */
  responses: Record<string, { $id?: string; description?: string }>;
  [notesKey]: RouteNotes;
}

export function completeOperation(path: string, collected: CollectedOperation): JsonSchema {
  const { operationId, tags, summary, description, [notesKey]: notes } = collected;
  const guarded = isGuarded(path);
  return {
    operationId,
    tags,
    summary,
    ...(description !== undefined && { description }),
    security: guarded ? [{ apiKey: [] }] : [],
    parameters: parametersOf(path, collected, notes),
    ...bodyOf(path, collected, notes),
    responses: { ...answersOf(collected, notes, guarded), ...errorsOf(notes, guarded) },
  };
}

function parametersOf(path: string, collected: CollectedOperation, notes: RouteNotes): JsonSchema[] {
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

function bodyOf(path: string, collected: CollectedOperation, notes: RouteNotes): JsonSchema {
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

function answersOf(collected: CollectedOperation, notes: RouteNotes, guarded: boolean): JsonSchema {
  const headers = headersOf(guarded, notes.answers ?? []);
  const answers = Object.entries(collected.responses).map(([status, answer]) => {
    const content = contentOf(answer, notes);
    return [status, { description: answer.description ?? "Done.", headers, ...content }] as const;
  });
  const unchanged = {
    description: "Unchanged since the answer with this ETag.",
    headers: headersOf(guarded, ["ETag"]),
  };
  return {
    ...Object.fromEntries(answers),
    ...(notes.reads?.includes("If-None-Match") && { "304": unchanged }),
  };
}

function contentOf(answer: { $id?: string }, notes: RouteNotes): JsonSchema {
  const example = notes.example === undefined ? {} : { example: notes.example };
  if (notes.contentType !== undefined) {
    return { content: { [notes.contentType]: { schema: { type: "string" }, ...example } } };
  }
  const schema = notes.operation === undefined ? undefined : toJsonSchema(notes.operation.output);
  const shown = answer.$id === undefined ? schema : reference(answer.$id);
  return shown === undefined ? {} : { content: { "application/json": { schema: shown, ...example } } };
}

const everywhere: readonly ErrorKind[] = ["bad_request", "internal", "storage_busy", "shutting_down"];
const withKey: readonly ErrorKind[] = ["unauthenticated", "rate_limited"];

function errorsOf(notes: RouteNotes, guarded: boolean): JsonSchema {
  const kinds = new Set<ErrorKind>([...everywhere, ...(guarded ? withKey : []), ...(notes.errors ?? [])]);
  const byStatus = Map.groupBy([...kinds].sort(), (kind) => errorKinds[kind]);
  const answers = [...byStatus].map(([status, of]) => [String(status), errorAnswer(of, guarded)] as const);
  return Object.fromEntries(answers.sort(([a], [b]) => a.localeCompare(b)));
}

function errorAnswer(kinds: readonly ErrorKind[], guarded: boolean): JsonSchema {
  const more: HeaderName[] = [];
  if (kinds.includes("unauthenticated")) more.push("WWW-Authenticate");
  if (kinds.some((kind) => retryable.has(kind))) more.push("Retry-After");
  return {
    description: kinds.map((kind) => `\`${kind}\`: ${errorCatalogue[kind].meaning}`).join("\n\n"),
    headers: headersOf(guarded, more),
    content: {
      "application/problem+json": {
        schema: reference("Problem"),
        examples: Object.fromEntries(kinds.map((kind) => [kind, { value: exampleOf(kind) }])),
      },
    },
  };
}

const retryable = new Set<ErrorKind>([
  "rate_limited",
  "idempotency_in_progress",
  "storage_busy",
  "shutting_down",
]);

function exampleOf(kind: ErrorKind): JsonSchema {
  const field = { path: "/pull_request", code: "required", message: "is required" };
  return {
    type: `http://localhost:8080/errors/${kind}`,
    title: errorCatalogue[kind].title,
    status: errorKinds[kind],
    detail: errorCatalogue[kind].meaning,
    instance: "/v1/reviews",
    code: kind,
    request_id: "req_01JD8Y3Q2M9V4T6B7N8P0R1S2T",
    ...(kind === "validation_failed" && { errors: [field] }),
  };
}

function headersOf(guarded: boolean, more: readonly HeaderName[]): JsonSchema {
  const names: HeaderName[] = ["X-Request-Id"];
  if (guarded) names.push("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset");
  const all = [...names, ...more];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
