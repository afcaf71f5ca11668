/**
 * One thing an admin can do. `/api`, the control socket and the command line all run the same list of these (operations.ts),
 * so that its input is checked and its output described in one place.
 */
import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { AppError } from "../domain/errors.ts";
import { type MemberRole, memberRoles } from "../domain/organization.ts";
import { checkInput } from "./check-input.ts";
import type { AdminContext, Administration } from "./context.ts";

export interface Operation<I extends TSchema = TSchema, O extends TSchema = TSchema> {
  /** `keys.create`: what the control socket and the log call it. */
  name: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the site's root, with `:parameters`, which are fields of `input` like the query (GET, DELETE) or body (others). */
  path: `/api/${string}`;
  /** The least role that may. */
  role: MemberRole;
  /** One line for the API reference. */
  summary: string;
  input: I;
  output: O;
  run(context: AdminContext, input: Static<I>): Promise<Static<O>>;
}

/** Done by the machine's owner only: over the control socket or without a server, never over HTTP. No organization is needed. */
export interface LocalOperation<I extends TSchema = TSchema, O extends TSchema = TSchema> {
  name: string;
  summary: string;
  input: I;
  output: O;
  run(administration: Administration, input: Static<I>): Promise<Static<O>>;
}

/** Keeps the literal schemas, so that `run` is typed by them. */
export function operation<I extends TSchema, O extends TSchema>(o: Operation<I, O>): Operation<I, O> {
  return o;
}

export function localOperation<I extends TSchema, O extends TSchema>(
  o: LocalOperation<I, O>,
): LocalOperation<I, O> {
  return o;
}

export function hasRole(role: MemberRole, least: MemberRole): boolean {
  return memberRoles.indexOf(role) <= memberRoles.indexOf(least);
}

/**
 * Checks the caller's role, then the input, and runs it. The output has the declared fields and no others.
 * Errors: AppError `forbidden`, `validation_failed`, and what the operation says.
 */
export async function runOperation(o: Operation, context: AdminContext, input: unknown): Promise<unknown> {
  if (!hasRole(context.caller.role, o.role)) {
    throw new AppError("forbidden", `This needs the role ${o.role}; yours is ${context.caller.role}.`);
  }
  return Value.Clean(o.output, await o.run(context, checkInput(o.input, input)));
}

export async function runLocalOperation(
  o: LocalOperation,
  administration: Administration,
  input: unknown,
): Promise<unknown> {
  return Value.Clean(o.output, await o.run(administration, checkInput(o.input, input)));
}
