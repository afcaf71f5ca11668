/** What an operation answers: its own answers and the errors, with their headers. */
import { type ErrorKind, errorKinds } from "../../domain/errors.ts";
import { errorCatalogue } from "../error-catalogue.ts";
import type { CollectedOperation } from "./collected.ts";
import type { HeaderName } from "./components.ts";
import type { RouteNotes } from "./documented.ts";
import { type JsonSchema, reference, toJsonSchema } from "./schema.ts";

/** The successful ones. */
export function answersOf(collected: CollectedOperation, notes: RouteNotes, guarded: boolean): JsonSchema {
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
    const type = notes.contentType === "application/json" ? "object" : "string";
    return { content: { [notes.contentType]: { schema: { type }, ...example } } };
  }
  const schema = notes.operation === undefined ? undefined : toJsonSchema(notes.operation.output);
  const shown = answer.$id === undefined ? schema : reference(answer.$id);
  return shown === undefined ? {} : { content: { "application/json": { schema: shown, ...example } } };
}

const everywhere: readonly ErrorKind[] = ["bad_request", "internal", "storage_busy", "shutting_down"];
const withKey: readonly ErrorKind[] = ["unauthenticated", "rate_limited", "validation_failed"];

/** The errors, by status: references into `shared`, to which they are added. */
export function errorsOf(notes: RouteNotes, guarded: boolean, shared: Map<string, JsonSchema>): JsonSchema {
  const kinds = new Set<ErrorKind>([...everywhere, ...(guarded ? withKey : []), ...(notes.errors ?? [])]);
  const byStatus = Map.groupBy([...kinds].sort(), (kind) => errorKinds[kind]);
  const answers = [...byStatus].map(([status, of]) => {
    const name = `${guarded ? "" : "open_"}${of.join("_or_")}`;
    if (!shared.has(name)) shared.set(name, errorAnswer(of, guarded));
    return [String(status), { $ref: `#/components/responses/${name}` }] as const;
  });
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
