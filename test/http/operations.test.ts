import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { AppError } from "../../src/domain/errors.ts";
import type { ServedOperation } from "../../src/http/server-deps.ts";
import { problemOf, startTestServer, type TestServer } from "./serve.ts";

const output = Type.Object({});
const input = Type.Object({
  id: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer()),
  all: Type.Optional(Type.Boolean()),
  tag: Type.Optional(Type.Array(Type.String())),
});

/** Answers what it was given and by whom. */
function echo(method: ServedOperation["method"], path: `/api/${string}`): ServedOperation {
  const run: ServedOperation["run"] = async (caller, given) => {
    if (caller.role === "member") throw new AppError("forbidden", "This needs the role admin.");
    return { caller, given };
  };
  return { name: `${method}.${path}`, method, path, role: "admin", summary: "Echo.", input, output, run };
}

const operations = [echo("GET", "/api/things"), echo("POST", "/api/things"), echo("PUT", "/api/things/:id")];

async function start(): Promise<TestServer & { admin: string }> {
  const server = await startTestServer({ operations });
  const { key } = await server.makesKey({ role: "admin" });
  return Object.assign(server, { admin: `Bearer ${key}` });
}

describe("an admin's operation", () => {
  test("is run for a key of role admin, in its organization's name", async () => {
    await using server = await start();
    const answer = await server.get("/api/things", { authorization: server.admin });
    expect(await answer.json()).toMatchObject({ caller: { organizationId: "org_acme", role: "admin" } });
  });

  test("is forbidden to a member's key", async () => {
    await using server = await start();
    const answer = await server.get("/api/things");
    expect(answer.status).toBe(403);
    expect((await problemOf(answer)).code).toBe("forbidden");
  });

  test("is no stranger's business", async () => {
    await using server = await start();
    expect((await server.get("/api/things", { authorization: "none" })).status).toBe(401);
  });

  test("takes its input from the query, in the schema's types", async () => {
    await using server = await start();
    const answer = await server.get("/api/things?limit=5&all=true&tag=a&tag=b&odd=1", {
      authorization: server.admin,
    });
    expect(await answer.json()).toMatchObject({ given: { limit: 5, all: true, tag: ["a", "b"], odd: "1" } });
  });

  test("leaves it to the operation to refuse what is no such type", async () => {
    await using server = await start();
    const answer = await server.get("/api/things?limit=many&limit=5", { authorization: server.admin });
    expect(await answer.json()).toMatchObject({ given: { limit: ["many", "5"] } });
  });

  test("takes its input from body and address, the address deciding", async () => {
    await using server = await start();
    const answer = await server.fetch("/api/things/acme%2Fshop", {
      method: "PUT",
      body: '{"limit":5,"id":"other"}',
      headers: { "content-type": "application/json", authorization: server.admin },
    });
    expect(await answer.json()).toMatchObject({ given: { limit: 5, id: "acme/shop" } });
  });

  test("needs no body where nothing is to be said", async () => {
    await using server = await start();
    const answer = await server.fetch("/api/things", {
      method: "POST",
      headers: { "content-type": "application/json", authorization: server.admin },
    });
    expect(await answer.json()).toMatchObject({ given: {} });
  });

  test.each([
    ["[]", 422, "validation_failed"],
    ["{", 400, "malformed_json"],
    [" ".repeat(1_048_577), 413, "body_too_large"],
  ])("refuses a body that is no object: %#", async (body, status, code) => {
    await using server = await start();
    const answer = await server.post("/api/things", body, { authorization: server.admin });
    expect(answer.status).toBe(status);
    expect((await problemOf(answer)).code).toBe(code);
  });

  test("counts towards the organization's rate limit", async () => {
    await using server = await start();
    const { headers } = await server.get("/api/things", { authorization: server.admin });
    expect(headers.get("x-ratelimit-remaining")).toBe("4999");
  });
});
