/** Everything an admin can do, each operation on its own address under /api; who may is checked by the operation. */
import type { TSchema } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { AppError, type ErrorKind } from "../../domain/errors.ts";
import { callerOf, callOf } from "../call.ts";
import { documented } from "../openapi/documented.ts";
import { hasBody, readJson } from "../read-body.ts";
import type { ServedOperation } from "../server-deps.ts";

export function operationRoutes(operations: readonly ServedOperation[]) {
  const app = new Elysia();
  for (const operation of operations) {
    const handler = async ({ request, params }: { request: Request; params: Record<string, string> }) =>
      operation.run(callerOf(request), { ...(await argumentsOf(operation, request)), ...params });
    app.route(operation.method, operation.path, handler, {
      parse: "none",
      detail: documented({
        operationId: operation.name.replace(/[._](.)/g, (_, letter: string) => letter.toUpperCase()),
        tag: "Administration",
        summary: operation.summary,
        errors: errorsOf(operation),
        operation,
      }),
    });
  }
  return app;
}

function errorsOf(operation: ServedOperation): ErrorKind[] {
  const errors: ErrorKind[] = ["forbidden", "not_found"];
  if (operation.method === "GET") return errors;
  errors.push("conflict", "storage_full");
  if (readsQuery(operation)) return errors;
  return [...errors, "malformed_json", "invalid_encoding", "body_too_large", "unsupported_media_type"];
}

/** Whether its input comes in the query; else it comes in the body. */
export function readsQuery({ method }: Pick<ServedOperation, "method">): boolean {
  return method === "GET" || method === "DELETE";
}

async function argumentsOf(operation: ServedOperation, request: Request): Promise<object> {
  if (readsQuery(operation)) return fromQuery(operation.input, new URLSearchParams(callOf(request).query));
  if (!hasBody(request)) return {};
  const { value } = await readJson(request);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new AppError("validation_failed", "The body must be a JSON object.", {
    fields: [{ path: "", code: "wrong_type", message: "must be a JSON object" }],
  });
}

/** Text becomes what the schema says where it can; the operation refuses the rest. */
function fromQuery(input: TSchema, query: URLSearchParams): Record<string, unknown> {
  const types: Record<string, TSchema> = input.properties ?? {};
  const names = [...new Set(query.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = query.getAll(name);
      const type: unknown = types[name]?.type;
      if (type === "array" || values.length > 1) return [name, values];
      return [name, typed(type, values[0] ?? "")];
    }),
  );
}

function typed(type: unknown, text: string): unknown {
  if (type === "integer" && /^\d{1,15}$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}
