/** Every error leaves as a problem document (RFC 9457). */
import type { Static } from "@sinclair/typebox";
import { AppError, errorKinds, isAppError } from "../domain/errors.ts";
import { errorCatalogue } from "./error-catalogue.ts";
import type { Problem } from "./schemas/problem.ts";

export const problemContentType = "application/problem+json; charset=utf-8";

/** `path` is the request's, without its query. */
export function problemResponse(
  error: AppError,
  about: { siteUrl: string; path: string; requestId: string },
): Response {
  const problem: Static<typeof Problem> = {
    type: `${about.siteUrl}/errors/${error.kind}`,
    title: errorCatalogue[error.kind].title,
    status: errorKinds[error.kind],
    detail: error.message,
    instance: about.path,
    code: error.kind,
    request_id: about.requestId,
    ...(error.fields.length > 0 && { errors: [...error.fields] }),
  };
  const headers = new Headers({ "content-type": problemContentType });
  const retryAfter = error.retryAfterSeconds ?? (problem.status === 503 ? 1 : null);
  if (retryAfter !== null) headers.set("retry-after", String(retryAfter));
  if (error.kind === "unauthenticated") headers.set("www-authenticate", 'Bearer realm="plumbline"');
  // The rest of the body is not waited for.
  if (error.kind === "body_too_large") headers.set("connection", "close");
  return new Response(withoutKeys(JSON.stringify(problem)), { status: problem.status, headers });
}

/** What is not an AppError is our fault: it is told to nobody but the log. */
export function asAppError(cause: unknown): AppError {
  if (isAppError(cause)) return cause;
  return new AppError(
    "internal",
    "Something went wrong on this side; it is in the log under the request id.",
    {
      cause,
    },
  );
}

/** An API key that strayed into an address or a field's name is not repeated. */
function withoutKeys(text: string): string {
  return text.replace(/plk_[0-9A-Za-z]+/g, "plk_…");
}
