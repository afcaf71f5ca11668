import { describe, expect, test } from "bun:test";
import type { AppError } from "../../src/domain/errors.ts";
import { allowTarget } from "../../src/outbound/allowed-targets.ts";
import {
  enableEndpoint,
  promoteSecret,
  removeEndpoint,
  rotateSecret,
  setEndpoint,
} from "../../src/outbound/manage-endpoint.ts";
import { answers, hexSignature, standardSignatureFits, verify } from "../support/webhook-sink.ts";
import { secret, startOutbound } from "./start-outbound.ts";

const acme = "org_acme";
const hook = {
  organizationId: acme,
  url: "https://ci.example/hook",
  events: [],
  secret: null,
  byOwner: true,
};

async function refusal(work: Promise<unknown>): Promise<{ kind: string; fields: unknown; message: string }> {
  const error = await work.then(
    () => null,
    (thrown: AppError) => thrown,
  );
  if (error === null) throw new Error("it was not refused");
  return { kind: error.kind, fields: error.fields, message: error.message };
}

describe("setting the endpoint", () => {
  test("makes a secret and shows it once", async () => {
    await using outbound = await startOutbound();
    const set = await setEndpoint(outbound.deps, hook);
    expect(set.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    const again = await setEndpoint(outbound.deps, { ...hook, url: "https://ci.example/other" });
    expect(again.secret).toBeNull();
    expect(again.endpoint).toMatchObject({ id: set.endpoint.id, sealedSecret: set.endpoint.sealedSecret });
  });

  test("keeps a given secret sealed", async () => {
    await using outbound = await startOutbound();
    const set = await setEndpoint(outbound.deps, { ...hook, secret });
    expect(set.secret).toBeNull();
    expect(JSON.stringify(await outbound.store.endpoints.get(acme))).not.toContain(secret);
  });

  test("replaces the secret at once when another is given", async () => {
    await using outbound = await startOutbound();
    const sink = await outbound.receiver();
    await outbound.endpoint(sink.url);
    await outbound.endpoint(sink.url, { secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD" });
    await outbound.announces();
    await outbound.work();
    const [webhook] = sink.received();
    if (webhook === undefined) throw new Error("nothing was received");
    verify(webhook, "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD");
    expect(standardSignatureFits(webhook, secret)).toBe(false);
  });

  test.each(["", "two\nlines", "nul\0", "x".repeat(1_001)])("refuses %j for a secret", async (bad) => {
    await using outbound = await startOutbound();
    expect(await refusal(setEndpoint(outbound.deps, { ...hook, secret: bad }))).toMatchObject({
      kind: "validation_failed",
      fields: [{ path: "/secret", code: "malformed" }],
    });
  });

  test("refuses what may not be connected to, and says why", async () => {
    await using outbound = await startOutbound();
    const byAdmin = { ...hook, byOwner: false };
    for (const [input, message] of [
      [{ ...hook, url: "http://169.254.169.254/" }, "169.254.169.254 is a link-local address."],
      [{ ...hook, url: "gopher://ci.example/" }, "The address is neither https nor http."],
      [
        byAdmin,
        "ci.example (127.0.0.1) is not public; an owner can allow it: plumbline endpoint allow ci.example:443.",
      ],
      [{ ...hook, url: `https://ci.example/${"x".repeat(2_000)}` }, "The address is too long."],
    ] as const) {
      expect(await refusal(setEndpoint(outbound.deps, input))).toMatchObject({
        kind: "validation_failed",
        message,
        fields: [{ path: "/url" }],
      });
    }
    expect(await outbound.store.endpoints.get(acme)).toBeNull();
  });

  test("takes a name that does not resolve yet", async () => {
    await using outbound = await startOutbound({ resolve: () => Promise.reject(new Error("NXDOMAIN")) });
    await setEndpoint(outbound.deps, hook);
    await outbound.announces();
    await outbound.work();
    expect(await outbound.attempts()).toMatchObject([{ errorClass: "dns" }]);
  });

  test("takes plain http from an admin only for a host that is allowed, though its name does not resolve yet", async () => {
    await using outbound = await startOutbound({ resolve: () => Promise.reject(new Error("NXDOMAIN")) });
    const byAdmin = { ...hook, url: "http://ci.example/hook", byOwner: false };
    expect(await refusal(setEndpoint(outbound.deps, byAdmin))).toMatchObject({
      message: "The address is not https; an owner can allow it: plumbline endpoint allow ci.example:80.",
      fields: [{ path: "/url", code: "blocked_address" }],
    });
    await allowTarget(outbound.store, "ci.example");
    expect((await setEndpoint(outbound.deps, byAdmin)).endpoint.url).toBe("http://ci.example/hook");
  });

  test("lets an admin change the path of what the owner set, but not its host or port", async () => {
    await using outbound = await startOutbound();
    await setEndpoint(outbound.deps, { ...hook, url: "http://10.0.0.7:8080/a" });
    const byAdmin = (url: string) => setEndpoint(outbound.deps, { ...hook, url, byOwner: false });
    expect((await byAdmin("http://10.0.0.7:8080/b")).endpoint).toMatchObject({ setByOwner: true });
    for (const url of ["http://10.0.0.7/b", "http://10.0.0.8:8080/b", "https://10.0.0.7:8080/b"]) {
      expect(await refusal(byAdmin(url))).toMatchObject({ fields: [{ code: "blocked_address" }] });
    }
  });

  test("enables an endpoint that was disabled", async () => {
    await using outbound = await startOutbound();
    const sink = await outbound.receiver();
    sink.behavesInTurn(answers(410), answers(200));
    await outbound.endpoint(sink.url);
    await outbound.announces();
    await outbound.work();
    await outbound.endpoint(sink.url);
    await outbound.announces();
    await outbound.work();
    expect(await outbound.deliveries()).toMatchObject([{ state: "failed" }, { state: "delivered" }]);
    expect(await outbound.store.endpoints.get(acme)).toMatchObject({
      disabledReason: null,
      disabledAt: null,
    });
  });

  test("cancels what waits when the endpoint is removed", async () => {
    await using outbound = await startOutbound();
    await setEndpoint(outbound.deps, hook);
    await outbound.announces();
    await removeEndpoint(outbound.deps, acme);
    await outbound.work();
    expect(await outbound.deliveries()).toMatchObject([{ state: "cancelled", attempts: 0 }]);
    expect(await refusal(removeEndpoint(outbound.deps, acme))).toMatchObject({ kind: "not_found" });
    expect(await refusal(enableEndpoint(outbound.deps, acme))).toMatchObject({ kind: "not_found" });
  });
});

describe("rotating the secret", () => {
  const fresh = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

  test("satisfies old and new receivers for a day, then new ones only", async () => {
    await using outbound = await startOutbound();
    const sink = await outbound.receiver();
    await outbound.endpoint(sink.url);
    const rotated = await rotateSecret(outbound.deps, acme);
    const made = rotated.secret ?? "";
    const newest = async () => {
      await outbound.announces();
      await outbound.work();
      const webhook = sink.received().at(-1);
      if (webhook === undefined) throw new Error("nothing was received");
      const signedBy = [secret, made].filter((one) => standardSignatureFits(webhook, one));
      const hexBy = [secret, made].find(
        (one) => hexSignature(webhook.body, one) === webhook.headers["x-service-signature"],
      );
      return { signedBy, hexBy };
    };
    expect(await newest()).toEqual({ signedBy: [secret, made], hexBy: secret });
    outbound.clock.passes("86399 seconds");
    expect(await newest()).toEqual({ signedBy: [secret, made], hexBy: secret });
    outbound.clock.passes("1 second");
    expect(await newest()).toEqual({ signedBy: [made], hexBy: made });
  });

  test("promotes the new secret before the day is over", async () => {
    await using outbound = await startOutbound();
    const sink = await outbound.receiver();
    await outbound.endpoint(sink.url);
    expect((await rotateSecret(outbound.deps, acme, fresh)).secret).toBeNull();
    expect(await refusal(rotateSecret(outbound.deps, acme))).toMatchObject({ kind: "conflict" });
    await promoteSecret(outbound.deps, acme);
    expect(await refusal(promoteSecret(outbound.deps, acme))).toMatchObject({ kind: "conflict" });
    await outbound.announces();
    await outbound.work();
    const [webhook] = sink.received();
    if (webhook === undefined) throw new Error("nothing was received");
    verify(webhook, fresh);
    expect(standardSignatureFits(webhook, secret)).toBe(false);
  });

  test("leaves no delivery of a thousand unverifiable, whichever side switches when", async () => {
    await using outbound = await startOutbound();
    const sink = await outbound.receiver();
    await outbound.endpoint(sink.url);
    for (let i = 0; i < 1_000; i += 1) {
      await outbound.announces();
      if (i === 300) await rotateSecret(outbound.deps, acme, fresh);
      if (i === 600) await promoteSecret(outbound.deps, acme);
      if (i % 100 === 0) await outbound.work();
    }
    await outbound.work();
    const received = sink.received();
    expect(received).toHaveLength(1_000);
    const hexBy = received.map((webhook) => {
      const signature = webhook.headers["x-service-signature"];
      expect([secret, fresh].some((one) => standardSignatureFits(webhook, one))).toBe(true);
      return signature === hexSignature(webhook.body, secret) ? "old" : "new";
    });
    const switched = hexBy.indexOf("new");
    expect(switched).toBeGreaterThan(500);
    expect(hexBy.lastIndexOf("old")).toBeLessThan(switched);
  }, 30_000);
});
