import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "kysely";
import { createPasswords } from "../../src/people/passwords.ts";
import { createPeople, type People } from "../../src/people/people.ts";
import { createIds, systemClock } from "../../src/system.ts";
import { openTestMemoryStore, silentLogger, storeKinds, type TestStore } from "../support/databases.ts";

// Each hash takes a tenth of a second of a whole core, and other tests may want the core too.
setDefaultTimeout(30_000);

const organizationId = "org_00000000000000000000000001";
const owner = {
  organizationId,
  organizationName: "acme",
  email: "Ada@Acme.example ",
  password: "correct horse battery",
};

describe.each([...storeKinds()])("the people of an installation, on %s", (_kind, open) => {
  test("have no owner before set-up, and one afterwards who can prove who they are", async () => {
    await using database = await aStore(open);
    const people = peopleOf(database);
    expect(await people.hasOwner()).toBe(false);
    const { userId, email } = await people.makeOwner(owner);
    expect(userId).toStartWith("usr_");
    expect(email).toBe("ada@acme.example");
    expect(await people.hasOwner()).toBe(true);
    expect(await people.checkPassword("ada@acme.example", owner.password)).toEqual({ userId });
    expect(await people.checkPassword("ADA@acme.example", owner.password)).toEqual({ userId });
  });

  test("are refused with a wrong password, and when nobody knows them", async () => {
    await using database = await aStore(open);
    const people = peopleOf(database);
    await people.makeOwner(owner);
    expect(await people.checkPassword("ada@acme.example", "correct horse batterx")).toBeNull();
    expect(await people.checkPassword("eve@acme.example", owner.password)).toBeNull();
  });

  test("are made once, however often set-up is repeated; the last password counts", async () => {
    await using database = await aStore(open);
    const people = peopleOf(database);
    const first = await people.makeOwner(owner);
    const second = await people.makeOwner({ ...owner, password: "another good one" });
    expect(second.userId).toBe(first.userId);
    expect(await people.checkPassword("ada@acme.example", owner.password)).toBeNull();
    expect(await people.checkPassword("ada@acme.example", "another good one")).toEqual({
      userId: first.userId,
    });
    for (const table of ["users", "accounts", "members"]) {
      const { rows } = await sql<{
        count: number | string;
      }>`select count(*) as count from ${sql.table(table)}`.execute(database.kysely);
      expect(Number(rows[0]?.count)).toBe(1);
    }
  });

  test("have their passwords kept as argon2id hashes, far above OWASP's floor", async () => {
    await using database = await aStore(open);
    await peopleOf(database).makeOwner(owner);
    const { rows } = await sql<{ password: string }>`select password from accounts`.execute(database.kysely);
    expect(rows[0]?.password).toMatch(/^\$argon2id\$v=19\$m=65536,t=2,p=1\$/);
  });

  test("belong to the organization that the store has: there is one table of them", async () => {
    await using database = await aStore(open);
    const { userId } = await peopleOf(database).makeOwner(owner);
    const { rows } = await sql<{ slug: string; role: string }>`
      select o.slug, m.role from members m join organizations o on o.id = m.organization_id where m.user_id = ${userId}
    `.execute(database.kysely);
    expect(rows).toEqual([{ slug: "acme", role: "owner" }]);
  });
});

describe("a password", () => {
  let empty: TestStore;
  let people: People;
  beforeAll(async () => {
    empty = await openTestMemoryStore();
    people = peopleOf(empty);
  });
  afterAll(() => empty[Symbol.asyncDispose]());

  test.each([
    ["seven77", "at least 8 characters"],
    ["x".repeat(257), "at most 256 characters"],
    ["password", "tried first"],
    ["Passw0rd123!", "tried first"],
    ["!!Qwertyuiop2026", "tried first"],
    ["iloveyou", "tried first"],
    ["1q2w3e4r5t", "tried first"],
    ["aaaaaaaaaaaa", "mere run"],
    ["abababababab", "mere run"],
    ["abcdefghij", "mere run"],
    ["987654321", "mere run"],
    ["ada@acme.example", "e-mail address"],
    ["Acme-Widgets", "organization's name"],
  ])("%p is refused: %s", async (password, cause) => {
    const attempt = () => people.checkNewOwner({ ...owner, organizationName: "acme-widgets", password });
    expect(attempt).toThrow(cause);
  });

  test.each([
    ["8 chars!"],
    ["correct horse battery"],
    ["hunter2hunter2"],
    ["üßöä".repeat(16)],
    ["a-Z9".repeat(64)],
  ])("%p is taken", (password) => {
    expect(() => people.checkNewOwner({ ...owner, password })).not.toThrow();
  });

  test.each([
    ["ada"],
    ["@acme.example"],
    ["ada@"],
    ["ada lovelace@acme.example"],
    [`${"a".repeat(251)}@b.c`],
  ])("does not help the e-mail address %p", (email) => {
    expect(() => people.checkNewOwner({ ...owner, email })).toThrow("is not an e-mail address");
  });
});

test("only two passwords are hashed at a time, and who finds twenty waiting is sent away for a moment", async () => {
  const passwords = createPasswords();
  const hash = await Bun.password.hash("right", { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });
  const attempts = Array.from({ length: 40 }, () => passwords.verify({ password: "right", hash }));
  const outcomes = await Promise.allSettled(attempts);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(22);
  const refused = outcomes.filter((outcome) => outcome.status === "rejected");
  for (const { reason } of refused) {
    expect(reason).toMatchObject({ kind: "rate_limited", retryAfterSeconds: 5 });
  }
  expect(await passwords.verify({ password: "right", hash })).toBe(true);
  expect(await passwords.verify({ password: "wrong", hash })).toBe(false);
});

async function aStore(open: () => Promise<TestStore>): Promise<TestStore> {
  const database = await open();
  await database.store.organizations.insert({
    ...{ id: organizationId, slug: "acme", name: "acme", plan: "team" },
    ...{ creditsPerMonth: null, requestsPerHour: null, createdAt: database.clock.now() },
  });
  return database;
}

function peopleOf({ kysely }: Pick<TestStore, "kysely">): People {
  const ids = createIds(systemClock);
  return createPeople({ kysely, secret: "a".repeat(64), clock: systemClock, ids, logger: silentLogger });
}
