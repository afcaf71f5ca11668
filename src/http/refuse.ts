/** Turns whatever went wrong, ours, the framework's or a bug's, into the answer that tells of it. */
import type { TSchema } from "@sinclair/typebox";
import type { TypeCheck } from "@sinclair/typebox/compiler";
import { ParseError, ValidationError } from "elysia";
import { AppError, isAppError } from "../domain/errors.ts";
import type { Call } from "./call.ts";
import { asAppError, problemResponse } from "./problem.ts";
import type { ServerDeps } from "./server-deps.ts";
import { type Origin, validationFailed } from "./validation-errors.ts";

export type Refuse = (error: unknown, call: Call) => Response;

export function createRefuse(deps: Pick<ServerDeps, "logger" | "siteUrl">): Refuse {
  return (error, call) => {
    const told = asAppError(fromFramework(error));
    if (told.kind === "internal") {
      deps.logger.error("a request failed", {
        requestId: call.requestId,
        route: call.route,
        error: told.cause ?? told,
      });
    }
    return problemResponse(told, { siteUrl: deps.siteUrl(), path: call.path, requestId: call.requestId });
  };
}

const origins: Readonly<Record<string, Origin>> = { body: "body", query: "query", params: "path" };

/** Elysia wraps what a parser throws, and reports an answer that breaks its schema (our bug) as a bad request. */
function fromFramework(error: unknown): unknown {
  if (error instanceof ParseError) return isAppError(error.cause) ? error.cause : error;
  if (!(error instanceof ValidationError)) return error;
  const origin = origins[error.type];
  if (origin === undefined) return new Error(`the answer breaks its schema at ${error.valueError?.path}`);
  return validationFailed(origin, (error.validator as TypeCheck<TSchema>).Errors(error.value));
}

/** No route matched: the address is unknown, or it is known and the method is not. */
export function answerUnmatched(
  methods: readonly string[],
  request: Request,
  call: Call,
  refuse: Refuse,
): Response {
  if (methods.length === 0) {
    return refuse(new AppError("not_found", "There is nothing at this address."), call);
  }
  const allow = methods.join(", ");
  if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: { allow } });
  const response = refuse(new AppError("method_not_allowed", `This address knows ${allow}.`), call);
  response.headers.set("allow", allow);
  return response;
}
