import { describe, expect, test } from "bun:test";
import { addHost, listHosts, removeHost } from "../../src/admin/hosts.ts";
import { createKey, listKeys, revokeKey } from "../../src/admin/keys.ts";
import { localOperations, operations, runAsOwner } from "../../src/admin/operations.ts";
import { disableRepository, enableRepository, listRepositories } from "../../src/admin/repositories.ts";
import { createReview, getReview } from "../../src/admin/reviews.ts";
import { setUp } from "../../src/admin/setup.ts";
import { getStatus } from "../../src/admin/status.ts";
import { isWellFormedApiKey, secretContexts, sha256Hex } from "../../src/crypto.ts";
import type { ErrorKind } from "../../src/domain/errors.ts";
import { version } from "../../src/version.ts";
import { password, refusalOf, startAdministration, type TestAdministration } from "./administration.ts";

const template = "file:///srv/git/{repository}.git";

describe("the list of operations", () => {
  test("has each name and each address once", () => {
    const names = [...operations, ...localOperations].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const addresses = operations.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  test("refuses what it does not declare, in every operation", () => {
    for (const { name, input } of [...operations, ...localOperations]) {
      expect([name, input.additionalProperties]).toEqual([name, false]);
    }
  });

  test("takes every parameter of an address from its input", () => {
    for (const { name, path, input } of operations) {
      const parameters = [...path.matchAll(/:(\w+)/g)].map(([, parameter = ""]) => parameter);
      expect([name, parameters.filter((parameter) => !(parameter in input.properties))]).toEqual([name, []]);
    }
  });

  test("keeps set-up away from the network", () => {
    expect(localOperations.map(({ name }) => name)).toEqual(["setup"]);
    expect(operations.map(({ name }) => name)).not.toContain("setup");
  });

  test("lets members read and ask for reviews, and nothing else", () => {
    const forMembers = operations.filter(({ role }) => role === "member").map(({ name }) => name);
    expect(forMembers).toEqual([
      "rules.list",
      "rules.show",
      "repos.list",
      "reviews.create",
      "reviews.get",
      "organization.get_plan",
    ]);
  });
});

describe("who may", () => {
  test.each(operations.map((operation) => [operation.name, operation] as const))(
    "%s is the operation's role and those above it",
    async (_name, operation) => {
      await using admin = await installed();
      const allowed = { member: ["member"], admin: ["admin", "member"], owner: ["owner", "admin", "member"] };
      for (const role of ["member", "admin", "owner"] as const) {
        const outcome = await kindOf(admin.run(operation, { not: "an input" }, role));
        // Whoever may gets as far as the input, which is wrong for every operation.
        expect([role, outcome]).toEqual([
          role,
          allowed[role].includes(operation.role) ? "validation_failed" : "forbidden",
        ]);
      }
    },
  );
});

describe("set-up", () => {
  test("makes the organization on the first plan, and its owner", async () => {
    await using admin = await startAdministration();
    const made = await admin.runLocal(setUp, {
      organization: "acme",
      admin_email: "Ada@acme.example",
      admin_password: password,
    });
    expect(made).toEqual({
      organization: { id: expect.stringMatching(/^org_/), slug: "acme" },
      owner: { id: expect.stringMatching(/^usr_/), email: "ada@acme.example" },
    });
    const { store, people } = admin.administration;
    expect(await store.plans.list()).toEqual([
      { name: "team", creditsPerMonth: 1000, requestsPerHour: 5000 },
    ]);
    expect(await people.checkPassword("ada@acme.example", password)).toEqual({ userId: made.owner.id });
  });

  test("is refused a second time, politely", async () => {
    await using admin = await installed();
    const again = admin.setsUp("other");
    expect((await refusalOf(again)).message).toContain(
      "Plumbline is set up already, for the organization acme.",
    );
    expect(await kindOf(admin.setsUp())).toBe("conflict");
  });

  test("leaves nothing behind when the password is refused", async () => {
    await using admin = await startAdministration();
    const input = { organization: "acme", admin_email: "ada@acme.example", admin_password: "password1" };
    expect(await kindOf(admin.runLocal(setUp, input))).toBe("validation_failed");
    expect(await admin.administration.store.organizations.list()).toEqual([]);
  });

  test("is finished by the next try when it was cut short", async () => {
    await using admin = await startAdministration();
    const { store, clock } = admin.administration;
    await store.plans.put({ name: "team", creditsPerMonth: 7, requestsPerHour: 7 });
    await store.organizations.insert({
      ...{ id: "org_1", slug: "acme", name: "acme", plan: "team" },
      ...{ creditsPerMonth: null, requestsPerHour: null, createdAt: clock.now() },
    });
    expect(await kindOf(admin.run(listKeys, {}))).toBe("conflict");
    expect((await refusalOf(admin.setsUp("other"))).message).toContain("--org acme");
    await admin.setsUp("acme");
    expect((await admin.run(listKeys, {})).data).toEqual([]);
    expect(await store.organizations.list()).toHaveLength(1);
  });

  test.each([["Acme"], ["-acme"], ["acme-"], ["a b"], [""], ["a".repeat(41)]])(
    "refuses the name %p",
    async (name) => {
      await using admin = await startAdministration();
      expect(await kindOf(admin.setsUp(name))).toBe("validation_failed");
    },
  );

  test("comes before everything else", async () => {
    await using admin = await startAdministration();
    for (const { name } of operations) {
      const outcome = runAsOwner(admin.administration, name, {});
      expect((await refusalOf(outcome)).message).toContain("Plumbline is not set up yet");
    }
  });
});

describe("an API key", () => {
  test("is shown once, and stored as its SHA-256 alone", async () => {
    await using admin = await installed();
    const made = await admin.run(createKey, { name: "ci" });
    expect(isWellFormedApiKey(made.key)).toBe(true);
    expect(made).toMatchObject({
      name: "ci",
      role: "member",
      last_four: made.key.slice(-4),
      expires_at: null,
    });
    const stored = await admin.administration.store.apiKeys.byHash(sha256Hex(made.key));
    expect(stored?.id).toBe(made.id);
    const { data } = await admin.run(listKeys, {});
    expect(data).toHaveLength(1);
    expect(JSON.stringify([data, stored, admin.log])).not.toContain(made.key.slice(4, -4));
  });

  test("may expire, counted in days from now", async () => {
    await using admin = await installed();
    const { expires_at } = await admin.run(createKey, { name: "ci", role: "admin", expires_in_days: 30 });
    expect(expires_at).toBe("2026-12-21T06:00:00.000Z");
  });

  test("is revoked by its id or by its name, and revoking it again changes nothing", async () => {
    await using admin = await installed();
    const byName = await admin.run(createKey, { name: "ci" });
    const byId = await admin.run(createKey, { name: "other" });
    const first = await admin.run(revokeKey, { key: "ci" });
    expect(first).toMatchObject({ id: byName.id, revoked_at: "2026-11-21T06:00:00.000Z" });
    admin.clock.passes("1 hour");
    expect((await admin.run(revokeKey, { key: byName.id })).revoked_at).toBe("2026-11-21T06:00:00.000Z");
    await admin.run(revokeKey, { key: byId.id });
    expect(await kindOf(admin.run(revokeKey, { key: "ci" }))).toBe("not_found");
  });

  test("is not guessed when two have the name", async () => {
    await using admin = await installed();
    const a = await admin.run(createKey, { name: "ci" });
    const b = await admin.run(createKey, { name: "ci" });
    const attempt = admin.run(revokeKey, { key: "ci" });
    expect((await refusalOf(attempt)).message).toContain(`${a.id}, ${b.id}`);
  });
});

describe("a code host", () => {
  test("keeps its token sealed, and never shows it", async () => {
    await using admin = await installed();
    const added = await admin.run(addHost, {
      kind: "git",
      name: "corp",
      url: "https://git.corp.example/{repository}.git",
      token: "hunter2hunter2",
    });
    expect(added).toMatchObject({ has_token: true, has_webhook_secret: false });
    const { store, secretBox } = admin.administration;
    const stored = await store.codeHosts.get(added.id);
    expect(secretBox.open(stored?.sealedToken ?? "", secretContexts.codeHostToken(added.id))).toBe(
      "hunter2hunter2",
    );
    const shown = JSON.stringify([added, stored, await admin.run(listHosts, {}), admin.log]);
    expect(shown).not.toContain("hunter2hunter2");
  });

  test.each<[string, Partial<Parameters<typeof addHost.run>[1]>]>([
    ["without {repository}", { url: "https://git.example/repo.git" }],
    ["of a program", { url: "ext::sh -c {repository}" }],
    ["with a password in its address", { url: "https://ada:hunter2hunter2@git.example/{repository}" }],
    ["with a webhook secret it has no use for", { webhook_secret: "hunter2hunter2" }],
    ["with a token for a folder", { token: "hunter2hunter2" }],
    ["with a head pattern without number", { head_ref: "refs/heads/main" }],
    ["of a kind that has no client yet", { kind: "github", url: "https://ghe.example/api/v3" }],
    ["with a name that no option could take", { name: "-x" }],
  ])("is refused %s", async (_what, wrong) => {
    await using admin = await installed();
    const attempt = admin.run(addHost, { kind: "git", name: "local", url: template, ...wrong });
    const { kind, message } = await refusalOf(attempt);
    expect(kind).toBe("validation_failed");
    expect(message).not.toContain("hunter2hunter2");
    expect((await admin.run(listHosts, {})).data).toEqual([]);
  });

  test("is connected by an owner, not by an admin, whom it would let read this machine's folders", async () => {
    await using admin = await installed();
    const attempt = admin.run(
      addHost,
      { kind: "git", name: "local", url: "file:///etc/{repository}" },
      "admin",
    );
    expect(await kindOf(attempt)).toBe("forbidden");
  });

  test("has a name of its own", async () => {
    await using admin = await installed();
    await admin.run(addHost, { kind: "git", name: "local", url: template });
    expect(await kindOf(admin.run(addHost, { kind: "git", name: "local", url: template }))).toBe("conflict");
  });

  test("is removed by name, but not while a repository is on it", async () => {
    await using admin = await installed();
    await admin.run(addHost, { kind: "git", name: "one", url: template });
    await admin.run(addHost, { kind: "git", name: "two", url: template });
    await admin.run(enableRepository, { repository: "acme/shop", host: "one" });
    expect((await refusalOf(admin.run(removeHost, { host: "one" }))).message).toContain(
      "enable them on another host first",
    );
    await admin.run(enableRepository, { repository: "acme/shop", host: "two" });
    await admin.run(removeHost, { host: "one" });
    expect((await admin.run(listHosts, {})).data.map(({ name }) => name)).toEqual(["two"]);
    expect(await kindOf(admin.run(removeHost, { host: "one" }))).toBe("not_found");
  });
});

describe("a repository", () => {
  test("is enabled on the only host without naming it, changed, disabled and enabled again under the same id", async () => {
    await using admin = await installed();
    await admin.run(addHost, { kind: "git", name: "local", url: template });
    const { id } = await admin.run(enableRepository, { repository: "acme/shop", auto_review: true });
    const again = await admin.run(enableRepository, { repository: "acme/shop" });
    expect(again).toEqual({ id, name: "acme/shop", host: "local", auto_review: true });
    await admin.run(disableRepository, { repository: "acme/shop" });
    expect((await admin.run(listRepositories, {})).data).toEqual([]);
    await admin.run(enableRepository, { repository: "acme/shop", auto_review: false });
    expect((await admin.run(listRepositories, {})).data).toEqual([
      { id, name: "acme/shop", host: "local", auto_review: false, reviews_count: 0, last_review_at: null },
    ]);
  });

  test("needs its host named when there are several, and one at all", async () => {
    await using admin = await installed();
    expect((await refusalOf(admin.run(enableRepository, { repository: "acme/shop" }))).message).toContain(
      "add one first",
    );
    await admin.run(addHost, { kind: "git", name: "one", url: template });
    await admin.run(addHost, { kind: "git", name: "two", url: template });
    expect((await refusalOf(admin.run(enableRepository, { repository: "acme/shop" }))).message).toContain(
      "one, two",
    );
    const { host } = await admin.run(enableRepository, { repository: "acme/shop", host: "two" });
    expect(host).toBe("two");
    expect((await admin.run(enableRepository, { repository: "acme/shop" })).host).toBe("two");
    expect(await kindOf(admin.run(enableRepository, { repository: "acme/web", host: "three" }))).toBe(
      "not_found",
    );
  });

  test.each([["shop"], ["acme/../shop"], ["acme/"], ["a b/c"]])("is not %p", async (repository) => {
    await using admin = await installed();
    expect(await kindOf(admin.run(enableRepository, { repository }))).toBe("validation_failed");
  });

  test("that is not enabled cannot be disabled", async () => {
    await using admin = await installed();
    expect(await kindOf(admin.run(disableRepository, { repository: "acme/shop" }))).toBe(
      "repository_not_enabled",
    );
  });
});

describe("a review", () => {
  test("asked for by an admin is stored with its options, and read back by its id", async () => {
    await using admin = await installed();
    await admin.run(addHost, { kind: "git", name: "local", url: template });
    await admin.run(enableRepository, { repository: "acme/shop" });
    const asked = { repository: "acme/shop", pull_request: 7, severity_threshold: "high" } as const;
    const { id, status } = await admin.run(createReview, asked, "member");
    expect(status).toBe("processing");
    expect(await admin.run(getReview, { id }, "member")).toMatchObject({
      ...{ id, repository: "acme/shop", pull_request: 7, status: "processing" },
      url: `http://localhost:8080/reviews/${id}`,
      ...{ summary: null, comments: [], metrics: null, error: null, completed_at: null },
    });
    expect((await admin.run(getStatus, {})).credits).toEqual({ remaining: 999, total: 1000 });
  });

  test("of a repository that is not enabled is refused, and so is one that is not there", async () => {
    await using admin = await installed();
    const asked = { repository: "acme/shop", pull_request: 7 };
    expect(await kindOf(admin.run(createReview, asked))).toBe("repository_not_enabled");
    expect(await kindOf(admin.run(getReview, { id: "rev_0" }))).toBe("not_found");
  });
});

test("the status tells the installation's state at a glance", async () => {
  await using admin = await installed();
  await admin.run(addHost, { kind: "git", name: "local", url: template });
  expect(await admin.run(getStatus, {})).toEqual({
    ...{ version, site_url: "http://localhost:8080", organization: "acme" },
    ...{ hosts: 1, repositories: 0, credits: null, jobs: [] },
  });
});

async function installed(): Promise<TestAdministration> {
  const admin = await startAdministration();
  await admin.setsUp();
  return admin;
}

async function kindOf(attempt: Promise<unknown>): Promise<ErrorKind> {
  return (await refusalOf(attempt)).kind;
}
