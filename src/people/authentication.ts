/**
 * How better-auth is set up. It shares the store's handle; its organizations are ours (one table, made by set-up and never by
 * better-auth itself, which is why `createdAt` may stay the number that the store keeps). Nothing of it is served yet:
 * nobody can sign up, and no route leads here.
 */
import { betterAuth } from "better-auth";
import { organization } from "better-auth/plugins";
import type { Kysely } from "kysely";
import type { IdPrefix, Ids, Logger } from "../domain/runtime.ts";
import type { Tables } from "../store/tables.ts";
import { passwordLengthMax, passwordLengthMin } from "./password-rules.ts";
import type { Passwords } from "./passwords.ts";

export interface AuthenticationOptions {
  kysely: Kysely<Tables>;
  /** Signs what better-auth hands out. */
  secret: string;
  ids: Ids;
  logger: Logger;
  passwords: Passwords;
}

export function createAuthentication(options: AuthenticationOptions) {
  return betterAuth({
    appName: "Plumbline",
    baseURL: "http://localhost",
    // Stated, with its version, so that better-auth does not look for one in the environment.
    secrets: [{ version: 1, value: options.secret }],
    // On both databases: text for times and 0 or 1 for booleans, as in the migrations.
    database: { db: options.kysely, type: "sqlite" },
    telemetry: { enabled: false },
    logger: { level: "warn", log: (level, message) => logTo(options.logger, level, message) },
    advanced: {
      database: { generateId: ({ model }) => options.ids.next(idPrefixes[model] ?? "usr") },
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: passwordLengthMin,
      maxPasswordLength: passwordLengthMax,
      password: options.passwords,
    },
    user: { modelName: "users", fields: userFields },
    session: { modelName: "sessions", fields: sessionFields },
    account: { modelName: "accounts", fields: accountFields },
    verification: { modelName: "verifications", fields: verificationFields },
    plugins: [organization({ allowUserToCreateOrganization: false, schema: organizationSchema })],
  });
}

export type Authentication = ReturnType<typeof createAuthentication>;

const idPrefixes: Readonly<Record<string, IdPrefix>> = {
  user: "usr",
  session: "ses",
  account: "acc",
  verification: "ver",
  member: "mbr",
  invitation: "inv",
};

const changedAt = { createdAt: "created_at", updatedAt: "updated_at" } as const;

const userFields = { ...changedAt, emailVerified: "email_verified" } as const;

const sessionFields = {
  ...changedAt,
  userId: "user_id",
  expiresAt: "expires_at",
  ipAddress: "ip_address",
  userAgent: "user_agent",
} as const;

const accountFields = {
  ...changedAt,
  userId: "user_id",
  accountId: "account_id",
  providerId: "provider_id",
  accessToken: "access_token",
  refreshToken: "refresh_token",
  idToken: "id_token",
  accessTokenExpiresAt: "access_token_expires_at",
  refreshTokenExpiresAt: "refresh_token_expires_at",
} as const;

const verificationFields = { ...changedAt, expiresAt: "expires_at" } as const;

const organizationSchema = {
  session: { fields: { activeOrganizationId: "active_organization_id" } },
  organization: {
    modelName: "organizations",
    fields: { createdAt: "created_at" },
  },
  member: {
    modelName: "members",
    fields: { organizationId: "organization_id", userId: "user_id", createdAt: "created_at" },
  },
  invitation: {
    modelName: "invitations",
    fields: {
      organizationId: "organization_id",
      inviterId: "inviter_id",
      expiresAt: "expires_at",
      createdAt: "created_at",
    },
  },
} as const;

function logTo(
  logger: Logger,
  level: "debug" | "info" | "success" | "warn" | "error",
  message: string,
): void {
  if (level === "error") logger.error(message, { from: "better-auth" });
  else if (level === "warn") logger.warn(message, { from: "better-auth" });
  else logger.debug(message, { from: "better-auth" });
}
