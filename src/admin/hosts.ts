/**
 * Code hosts: where repositories live. Tokens and secrets go in and never come out again. Only an owner connects one: its
 * address may be private, on this machine, or a folder (`file://`), none of which an admin's key may make us read.
 */
import { Type } from "@sinclair/typebox";
import { secretContexts } from "../crypto.ts";
import { AppError, isAppError } from "../domain/errors.ts";
import { type CodeHostConfig, type CodeHostSettings, codeHostKinds } from "../domain/repository.ts";
import type { AdminContext } from "./context.ts";
import { operation } from "./operation.ts";
import { Empty, Timestamp, timestamp } from "./shapes.ts";

const Kind = Type.Union(codeHostKinds.map((kind) => Type.Literal(kind)));
const NullableText = Type.Union([Type.String(), Type.Null()]);

const Host = Type.Object({
  id: Type.String(),
  kind: Kind,
  name: Type.String(),
  url: Type.String(),
  web_url: NullableText,
  head_ref: NullableText,
  base_ref: NullableText,
  has_token: Type.Boolean(),
  has_webhook_secret: Type.Boolean(),
  created_at: Timestamp,
});

const Secret = Type.String({ minLength: 1, maxLength: 10_000 });
const Ref = Type.String({ minLength: 1, maxLength: 200 });

export const addHost = operation({
  name: "hosts.add",
  method: "POST",
  path: "/api/hosts",
  role: "owner",
  summary: "Connect a code host.",
  input: Type.Object(
    {
      kind: Kind,
      name: Type.String({
        pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$",
        description: "a short name: up to 63 letters, digits, dots, - and _",
      }),
      url: Type.String({ minLength: 1, maxLength: 2000 }),
      web_url: Type.Optional(
        Type.String({ pattern: "^https?://", maxLength: 2000, description: "an http or https address" }),
      ),
      head_ref: Type.Optional(Ref),
      base_ref: Type.Optional(Ref),
      token: Type.Optional(Secret),
      webhook_secret: Type.Optional(Secret),
    },
    { additionalProperties: false },
  ),
  output: Host,
  async run(context, input) {
    const settings: CodeHostSettings = {
      ...(input.head_ref === undefined ? {} : { headRef: input.head_ref }),
      ...(input.base_ref === undefined ? {} : { baseRef: input.base_ref }),
    };
    refusePassword(input.url);
    context.checkCodeHost({
      kind: input.kind,
      url: input.url,
      settings,
      hasToken: input.token !== undefined,
      hasWebhookSecret: input.webhook_secret !== undefined,
    });
    const id = context.ids.next("host");
    const host: CodeHostConfig = {
      id,
      organizationId: context.caller.organizationId,
      kind: input.kind,
      name: input.name,
      url: input.url,
      webUrl: input.web_url ?? null,
      settings,
      sealedToken: sealed(context, input.token, secretContexts.codeHostToken(id)),
      sealedWebhookSecret: sealed(context, input.webhook_secret, secretContexts.codeHostWebhookSecret(id)),
      createdAt: context.clock.now(),
    };
    await insertHost(context, host);
    context.logger.info("code host added", { id, kind: host.kind, by: context.caller.actorId });
    return shown(host);
  },
});

export const listHosts = operation({
  name: "hosts.list",
  method: "GET",
  path: "/api/hosts",
  role: "admin",
  summary: "List the code hosts.",
  input: Empty,
  output: Type.Object({ data: Type.Array(Host) }),
  async run(context) {
    const hosts = await context.store.codeHosts.list(context.caller.organizationId);
    return { data: hosts.map(shown) };
  },
});

export const removeHost = operation({
  name: "hosts.remove",
  method: "DELETE",
  path: "/api/hosts/:host",
  role: "owner",
  summary: "Disconnect a code host, by its name or id; refused while a repository is on it.",
  input: Type.Object({ host: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
  output: Host,
  async run(context, input) {
    const host = await findHost(context, input.host);
    await deleteUnused(context, host);
    context.logger.info("code host removed", { id: host.id, by: context.caller.actorId });
    return shown(host);
  },
});

async function deleteUnused(
  { store }: AdminContext,
  { organizationId, id, name }: CodeHostConfig,
): Promise<void> {
  try {
    await store.codeHosts.delete(organizationId, id);
  } catch (cause) {
    if (!isAppError(cause, "conflict")) throw cause;
    const message = `Repositories are on the code host ${name}, disabled ones too; enable them on another host first.`;
    throw new AppError("conflict", message, { cause });
  }
}

/** By name or id. Errors: AppError `not_found`. */
export async function findHost(context: AdminContext, nameOrId: string): Promise<CodeHostConfig> {
  const hosts = await context.store.codeHosts.list(context.caller.organizationId);
  const host = hosts.find(({ id, name }) => name === nameOrId || id === nameOrId);
  if (host === undefined) throw new AppError("not_found", `There is no code host named ${nameOrId}.`);
  return host;
}

/** The address is shown to everybody who lists the hosts; the token is what is kept secret. */
function refusePassword(url: string): void {
  if ((URL.parse(url)?.password ?? "") === "") return;
  const message = "The address must hold no password; give it as the token.";
  throw new AppError("validation_failed", message, {
    fields: [{ path: "/url", code: "secret_in_url", message }],
  });
}

async function insertHost(context: AdminContext, host: CodeHostConfig): Promise<void> {
  const taken = await context.store.codeHosts.byName(host.organizationId, host.name);
  if (taken !== null) throw new AppError("conflict", `There is a code host named ${host.name} already.`);
  await context.store.codeHosts.insert(host);
}

function sealed(context: AdminContext, secret: string | undefined, place: string): string | null {
  return secret === undefined ? null : context.secretBox.seal(secret, place);
}

function shown(host: CodeHostConfig) {
  return {
    id: host.id,
    kind: host.kind,
    name: host.name,
    url: host.url,
    web_url: host.webUrl,
    head_ref: host.settings.headRef ?? null,
    base_ref: host.settings.baseRef ?? null,
    has_token: host.sealedToken !== null,
    has_webhook_secret: host.sealedWebhookSecret !== null,
    created_at: timestamp(host.createdAt),
  };
}
