import { describe, expect, test } from "bun:test";
import { isAppError } from "../../src/domain/errors.ts";
import { allowTarget, disallowTarget, listAllowedTargets } from "../../src/outbound/allowed-targets.ts";
import { setEndpoint } from "../../src/outbound/manage-endpoint.ts";
import { startOutbound } from "./start-outbound.ts";

describe("allowing more targets", () => {
  test("is remembered in one form, once, until it is taken back", async () => {
    await using outbound = await startOutbound();
    const { store } = outbound;
    for (const entry of [
      "10.0.0.0/8",
      "CI.corp",
      "ci.corp.",
      "ci.corp:443",
      "ci.corp:80",
      "fd00::1",
      "[fd00::1]",
    ]) {
      await allowTarget(store, entry);
    }
    const remembered = ["10.0.0.0/8", "ci.corp", "ci.corp:443", "ci.corp:80", "[fd00::1]"];
    expect(await listAllowedTargets(store)).toEqual(remembered);
    await disallowTarget(store, "CI.CORP:0443");
    expect(await listAllowedTargets(store)).toEqual(remembered.filter((entry) => entry !== "ci.corp:443"));
    await expect(disallowTarget(store, "ci.corp:443")).rejects.toThrow("ci.corp:443 is not on the list.");
  });

  test.each([
    "",
    " ",
    "10.0.0.0/33",
    "10.0.0.0/",
    "10.0.0/8",
    "ci.corp/8",
    "https://ci.corp",
    "*.corp",
    "a b",
    "u@ci.corp",
    "ci.corp:99999",
    "ci.corp:x",
  ])("takes %j for nothing that can be allowed", async (entry) => {
    await using outbound = await startOutbound();
    const error = await allowTarget(outbound.store, entry).catch((thrown: unknown) => thrown);
    expect(isAppError(error, "validation_failed") && error.message).toStartWith(
      `“${entry.trim()}” is no network`,
    );
    expect(await listAllowedTargets(outbound.store)).toEqual([]);
  });

  test.each([
    "169.254.169.254",
    "169.254.0.0/16",
    "fe80::1",
    "fe80::/10",
    "0.0.0.0",
    "0.0.0.0/0",
    "::/0",
    "2852039166",
    "[::ffff:169.254.1.1]:80",
  ])("does not pretend to allow %s, which stays refused", async (entry) => {
    await using outbound = await startOutbound();
    const error = await allowTarget(outbound.store, entry).catch((thrown: unknown) => thrown);
    expect(isAppError(error, "validation_failed") && error.fields[0]?.code).toBe("forbidden");
    expect(error).toMatchObject({ message: expect.stringContaining("cannot be allowed") });
  });

  test("lets an admin set an endpoint there", async () => {
    await using outbound = await startOutbound();
    const byAdmin = {
      organizationId: "org_acme",
      url: "http://ci.corp:8080/hook",
      events: [],
      secret: null,
      byOwner: false,
    };
    await expect(setEndpoint(outbound.deps, byAdmin)).rejects.toThrow(
      "plumbline endpoint allow ci.corp:8080",
    );
    await allowTarget(outbound.store, "ci.corp:8080");
    expect((await setEndpoint(outbound.deps, byAdmin)).endpoint).toMatchObject({ setByOwner: false });
  });
});
