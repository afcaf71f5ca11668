/** The people of an organization: who they are, and how they prove it. better-auth is known in this folder and nowhere else. */
import type { Kysely } from "kysely";
import { AppError } from "../domain/errors.ts";
import type { Clock, Ids, Logger } from "../domain/runtime.ts";
import type { Tables } from "../store/tables.ts";
import type { Authentication } from "./authentication.ts";
import { problemWithPassword } from "./password-rules.ts";
import { createPasswords, type Passwords } from "./passwords.ts";

export interface People {
  /** An organization whose owner is missing is one whose set-up was cut short. */
  hasOwner(): Promise<boolean>;
  /** Errors: AppError `validation_failed` for a bad e-mail address or password. */
  checkNewOwner(owner: NewOwner): void;
  /** Makes the person unless they are there, sets their password, and makes them an owner. Errors as `checkNewOwner`. */
  makeOwner(owner: NewOwner & { organizationId: string }): Promise<{ userId: string; email: string }>;
  /** Null for an unknown person and for a wrong password, after the same time. Errors: AppError `rate_limited`. */
  checkPassword(email: string, password: string): Promise<{ userId: string } | null>;
}

export interface NewOwner {
  /** What the password must not be. */
  organizationName: string;
  email: string;
  password: string;
}

export interface PeopleOptions {
  /** The store's own handle. */
  kysely: Kysely<Tables>;
  secret: string;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** For tests: cheaper ones. */
  passwords?: Passwords;
}

/** What of people's tables is read without better-auth. */
type PeopleTables = {
  members: { id: string; organization_id: string; user_id: string; role: string };
};

export function createPeople(options: PeopleOptions): People {
  const { passwords = createPasswords() } = options;
  const kysely = options.kysely.withTables<PeopleTables>();
  let loaded: Promise<Authentication> | null = null;
  /** Only when somebody is about to prove who they are: it costs the start 30 ms, and memory. */
  const authentication = (): Promise<Authentication> => {
    loaded ??= import("./authentication.ts").then(({ createAuthentication }) =>
      createAuthentication({ ...options, passwords }),
    );
    return loaded;
  };

  return {
    async hasOwner() {
      const owner = await kysely
        .selectFrom("members")
        .select("id")
        .where("role", "=", "owner")
        .limit(1)
        .executeTakeFirst();
      return owner !== undefined;
    },

    checkNewOwner: (owner) => void checkedEmail(owner),

    async makeOwner(owner) {
      const email = checkedEmail(owner);
      const hash = await passwords.hash(owner.password);
      const context = await (await authentication()).$context;
      const userId = await findOrMakeUser(context, email, options.clock);
      await setPassword(context, userId, hash);
      await setOwner(context, owner.organizationId, userId, options.clock);
      return { userId, email };
    },

    async checkPassword(email, password) {
      const context = await (await authentication()).$context;
      const found = await context.internalAdapter.findUserByEmail(email.toLowerCase(), {
        includeAccounts: true,
      });
      const hash = found?.accounts.find(({ providerId }) => providerId === "credential")?.password;
      const matches = await passwords.verify({ password, hash: hash ?? nobodysHash });
      return found && hash && matches ? { userId: found.user.id } : null;
    },
  };
}

/** Of a password that nobody has: what is compared for an unknown person, so that it takes as long as for a known one. */
const nobodysHash =
  "$argon2id$v=19$m=65536,t=2,p=1$qixaEt47uk4BrWs6L2IhNdeiIjb47xtjGrebqQWiJYs$M/lnBFxihY72DKP8a4b3TgfBOm+0Rfx+8hbw9JKs3vo";

type Context = Awaited<Authentication["$context"]>;

async function findOrMakeUser(context: Context, email: string, clock: Clock): Promise<string> {
  const found = await context.internalAdapter.findUserByEmail(email);
  if (found) return found.user.id;
  const now = clock.now();
  const made = await context.internalAdapter.createUser({
    email,
    name: email.split("@")[0] ?? email,
    // Nobody mails anything yet: whoever runs set-up vouches for the address.
    emailVerified: true,
    createdAt: now,
    updatedAt: now,
  });
  return made.id;
}

async function setPassword(context: Context, userId: string, hash: string): Promise<void> {
  const accounts = await context.internalAdapter.findAccounts(userId);
  if (accounts.some(({ providerId }) => providerId === "credential")) {
    await context.internalAdapter.updatePassword(userId, hash);
    return;
  }
  await context.internalAdapter.linkAccount({
    userId,
    providerId: "credential",
    accountId: userId,
    password: hash,
  });
}

async function setOwner(
  context: Context,
  organizationId: string,
  userId: string,
  clock: Clock,
): Promise<void> {
  const place = [
    { field: "organizationId", value: organizationId },
    { field: "userId", value: userId },
  ];
  const member = await context.adapter.findOne<{ id: string }>({ model: "member", where: place });
  if (member) {
    await context.adapter.update({ model: "member", where: place, update: { role: "owner" } });
    return;
  }
  const data = { organizationId, userId, role: "owner", createdAt: clock.now() };
  await context.adapter.create({ model: "member", data });
}

/** In lower case, as it is stored. */
function checkedEmail({ email, password, organizationName }: NewOwner): string {
  const normalized = normalizedEmail(email);
  refusePassword(password, normalized, organizationName);
  return normalized;
}

function normalizedEmail(text: string): string {
  const email = text.trim().toLowerCase();
  // One @ with something on both sides; what is behind it is for a mail server to judge.
  if (/^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 254) return email;
  throw new AppError("validation_failed", `${JSON.stringify(text)} is not an e-mail address.`, {
    fields: [{ path: "/admin_email", code: "invalid", message: "not an e-mail address" }],
  });
}

function refusePassword(password: string, email: string, organizationName: string): void {
  const problem = problemWithPassword(password, [email, organizationName]);
  if (problem === null) return;
  throw new AppError("validation_failed", problem, {
    fields: [{ path: "/admin_password", code: "weak", message: problem }],
  });
}
