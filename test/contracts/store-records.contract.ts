import { describe, expect, test } from "bun:test";
import type { ApiKey } from "../../src/domain/organization.ts";
import {
  aCodeHost,
  after,
  anOrganization,
  aRepository,
  aReview,
  failureOf,
  noon,
  type OpenTestStore,
  settleIn,
} from "./store-world.ts";

export function recordsContract(open: OpenTestStore): void {
  describe("organizations and plans", () => {
    test("come back as they were stored", async () => {
      await using world = await open();
      const acme = { ...anOrganization(), creditsPerMonth: 50 };
      await world.store.organizations.insert(acme);
      expect(await world.store.organizations.get(acme.id)).toEqual(acme);
      expect(await world.store.organizations.bySlug("acme")).toEqual(acme);
      expect(await world.store.organizations.list()).toEqual([acme]);
    });

    test("are null when nobody stored them", async () => {
      await using world = await open();
      expect(await world.store.organizations.get("org_nobody")).toBeNull();
      expect(await world.store.organizations.bySlug("nobody")).toBeNull();
      expect(await world.store.plans.get("nothing")).toBeNull();
    });

    test("change only what is asked, and clear an override with null", async () => {
      await using world = await open();
      await world.store.organizations.insert({
        ...anOrganization(),
        creditsPerMonth: 50,
        requestsPerHour: 9,
      });
      expect(await world.store.organizations.update("org_acme", { creditsPerMonth: null, plan: "big" })).toBe(
        true,
      );
      const changed = { ...anOrganization(), creditsPerMonth: null, requestsPerHour: 9, plan: "big" };
      expect(await world.store.organizations.get("org_acme")).toEqual(changed);
      expect(await world.store.organizations.update("org_acme", {})).toBe(true);
      expect(await world.store.organizations.update("org_nobody", { name: "x" })).toBe(false);
    });

    test("refuse a name that is taken as a conflict", async () => {
      await using world = await open();
      await world.store.organizations.insert(anOrganization());
      const namesake = { ...anOrganization(), id: "org_other" };
      expect(await failureOf(world.store.organizations.insert(namesake))).toMatchObject({ kind: "conflict" });
    });

    test("replace a plan that is put again", async () => {
      await using world = await open();
      await world.store.plans.put({ name: "team", creditsPerMonth: 1000, requestsPerHour: 5000 });
      await world.store.plans.put({ name: "team", creditsPerMonth: 20, requestsPerHour: 30 });
      expect(await world.store.plans.list()).toEqual([
        { name: "team", creditsPerMonth: 20, requestsPerHour: 30 },
      ]);
      expect(await world.store.plans.get("team")).toMatchObject({ creditsPerMonth: 20 });
    });
  });

  describe("API keys", () => {
    test("are found by their hash, and carry when they were used and revoked", async () => {
      await using world = await open();
      await world.store.organizations.insert(anOrganization());
      await world.store.apiKeys.insert(aKey("one"));
      await world.store.apiKeys.touch("key_one", after(60));
      expect(await world.store.apiKeys.byHash("hash-one")).toEqual({ ...aKey("one"), lastUsedAt: after(60) });
      expect(await world.store.apiKeys.revoke("org_acme", "key_one", after(90))).toBe(true);
      expect(await world.store.apiKeys.list("org_acme")).toMatchObject([
        { id: "key_one", revokedAt: after(90) },
      ]);
      expect(await world.store.apiKeys.byHash("hash-nobody")).toBeNull();
    });

    test("are revoked once, and by their own organization", async () => {
      await using world = await open();
      await world.store.organizations.insert(anOrganization());
      await world.store.apiKeys.insert(aKey("one"));
      expect(await world.store.apiKeys.revoke("org_other", "key_one", noon)).toBe(false);
      expect(await world.store.apiKeys.revoke("org_acme", "key_one", noon)).toBe(true);
      expect(await world.store.apiKeys.revoke("org_acme", "key_one", after(1))).toBe(false);
    });

    test("tell caches of every insert and revoke, and of nothing else", async () => {
      await using world = await open();
      await world.store.organizations.insert(anOrganization());
      const versions = [await world.store.apiKeys.version()];
      await world.store.apiKeys.insert(aKey("one"));
      versions.push(await world.store.apiKeys.version());
      await world.store.apiKeys.touch("key_one", after(1));
      expect(await world.store.apiKeys.version()).toBe(versions[1] ?? Number.NaN);
      await world.store.apiKeys.revoke("org_acme", "key_one", noon);
      versions.push(await world.store.apiKeys.version());
      expect(new Set(versions).size).toBe(3);
    });
  });

  describe("code hosts and repositories", () => {
    test("come back as they were stored, texts of any script included", async () => {
      await using world = await open();
      await world.store.organizations.insert(anOrganization());
      const host = { ...aCodeHost(), webUrl: "https://git.example/{repository}", sealedToken: "v1.größe.😀" };
      await world.store.codeHosts.insert(host);
      await world.store.repositories.insert(aRepository());
      expect(await world.store.codeHosts.get(host.id)).toEqual(host);
      expect(await world.store.codeHosts.byName("org_acme", "local")).toEqual(host);
      expect(await world.store.codeHosts.list("org_acme")).toEqual([host]);
      expect(await world.store.repositories.get("repo_acme/shop")).toEqual(aRepository());
      expect(await world.store.repositories.byName("org_acme", "acme/shop")).toEqual(aRepository());
      expect(await world.store.repositories.byName("org_acme", "acme/nothing")).toBeNull();
    });

    test("keep a text with a NUL in it, but for the NUL", async () => {
      await using world = await open();
      await world.store.organizations.insert({ ...anOrganization(), name: "A\0B" });
      expect(await world.store.organizations.get("org_acme")).toMatchObject({ name: "A\uFFFDB" });
    });

    test("refuse to delete a host while a repository is on it", async () => {
      await using world = await open();
      await settleIn(world.store);
      const refused = world.store.codeHosts.delete("org_acme", "host_acme_local");
      expect(await failureOf(refused)).toMatchObject({ kind: "conflict" });
      await world.store.codeHosts.insert(aCodeHost("acme", "spare"));
      expect(await world.store.codeHosts.delete("org_other", "host_acme_spare")).toBe(false);
      expect(await world.store.codeHosts.delete("org_acme", "host_acme_spare")).toBe(true);
    });

    test("list the enabled repositories by name, with what was reviewed", async () => {
      await using world = await open();
      await settleIn(world.store, "acme/shop");
      for (const name of ["acme/Zebra", "acme/apple", "acme/gone"]) {
        await world.store.repositories.insert(aRepository(name));
      }
      await world.store.repositories.update("repo_acme/gone", { disabledAt: noon });
      await world.store.reviews.insert(aReview("2", { createdAt: after(20) }));
      await world.store.reviews.insert(aReview("1", { createdAt: after(10) }));
      const listed = await world.store.repositories.list("org_acme");
      expect(
        listed.map(({ name, reviewsCount, lastReviewAt }) => [name, reviewsCount, lastReviewAt]),
      ).toEqual([
        ["acme/Zebra", 0, null],
        ["acme/apple", 0, null],
        ["acme/shop", 2, after(20)],
      ]);
    });

    test("change only what is asked", async () => {
      await using world = await open();
      await settleIn(world.store);
      expect(await world.store.repositories.update("repo_acme/shop", { autoReview: true })).toBe(true);
      expect(await world.store.repositories.update("repo_acme/shop", { disabledAt: noon })).toBe(true);
      expect(await world.store.repositories.update("repo_acme/shop", { disabledAt: null })).toBe(true);
      expect(await world.store.repositories.get("repo_acme/shop")).toEqual({
        ...aRepository(),
        autoReview: true,
      });
      expect(await world.store.repositories.update("repo_nobody", { autoReview: true })).toBe(false);
    });
  });

  describe("settings", () => {
    test("are null until put, and replaced when put again", async () => {
      await using world = await open();
      expect(await world.store.settings.get("allowed-hosts")).toBeNull();
      await world.store.settings.put("allowed-hosts", ["a"]);
      await world.store.settings.put("allowed-hosts", { hosts: ["b"], on: true });
      expect(await world.store.settings.get("allowed-hosts")).toEqual({ hosts: ["b"], on: true });
    });
  });
}

function aKey(name: string): ApiKey {
  return {
    id: `key_${name}`,
    organizationId: "org_acme",
    name,
    role: "member",
    hash: `hash-${name}`,
    lastFour: "abcd",
    createdAt: noon,
    lastUsedAt: null,
    expiresAt: after(3600),
    revokedAt: null,
  };
}
