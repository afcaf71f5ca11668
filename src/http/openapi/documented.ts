/** What a route's schemas do not say: for the OpenAPI document (openapi-document.ts completes it from this). */
import type { ErrorKind } from "../../domain/errors.ts";
import type { ServedOperation } from "../server-deps.ts";

export interface RouteNotes {
  operationId: string;
  tag: "Reviews" | "Repositories" | "Usage" | "Service" | "Administration";
  summary: string;
  description?: string;
  /** Beyond those that every guarded route can answer. */
  errors?: readonly ErrorKind[];
  /** Sent with the successful answer, beyond those that every answer carries. */
  answers?: readonly ("ETag" | "Link" | "Location" | "Idempotency-Replayed")[];
  /** Read from the request, beyond those that every route reads. */
  reads?: readonly ("If-None-Match" | "Idempotency-Key")[];
  /** Of a successful answer that has no schema. */
  contentType?: "text/html" | "text/plain" | "application/json";
  /** Of the successful answer. */
  example?: unknown;
  /** Of the request's body. */
  requestExample?: unknown;
  /** Where the input and output come from when Elysia does not know them. */
  operation?: Pick<ServedOperation, "method" | "input" | "output">;
}

export const notesKey = "x-plumbline";

/** For a route's `detail`. The notes travel under an extension key that the finished document does not have. */
export function documented(notes: RouteNotes) {
  const { operationId, tag, summary, description } = notes;
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    [notesKey]: notes,
  };
}
