import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readBytes } from "../../src/http/read-body.ts";
import { problemOf, startTestServer, type TestServer } from "./serve.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const review = { repository: "acme/shop", pull_request: 7 };
const mebibyte = 1_048_576;

describe("a body", () => {
  test.each([
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
  ])("may be declared as %s", async (type) => {
    expect((await server.post("/v1/reviews", review, { "content-type": type })).status).toBe(202);
  });

  test.each([
    "",
    "text/plain",
    "application/xml",
    "application/jsonx",
    "application/vnd.api+json",
    "application/json; charset=latin1",
  ])("may not be declared as %p", async (type) => {
    const body = new Blob([JSON.stringify(review)]);
    const headers = type === "" ? {} : { "content-type": type };
    const answer = await server.fetch("/v1/reviews", { method: "POST", body, headers });
    expect(answer.status).toBe(415);
  });

  test("of exactly 1 MiB is read, and one byte more is too many", async () => {
    const padded = (length: number) => JSON.stringify(review).padEnd(length, " ");
    expect((await server.post("/v1/reviews", padded(mebibyte))).status).toBe(202);
    expect((await server.post("/v1/reviews", padded(mebibyte + 1))).status).toBe(413);
  });

  test("in chunks has the same limit", async () => {
    const chunked = (chunks: number) =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < chunks; at += 1) controller.enqueue(new Uint8Array(65_536).fill(0x20));
          controller.close();
        },
      });
    const send = (chunks: number) =>
      server.fetch("/v1/reviews", {
        method: "POST",
        body: chunked(chunks),
        headers: { "content-type": "application/json" },
      });
    expect((await send(16)).status).toBe(400);
    expect((await send(17)).status).toBe(413);
  });

  test("of 20 MiB is read to its end, so that its sender can read the answer", async () => {
    const answer = await server.post("/v1/reviews", " ".repeat(20 * mebibyte));
    expect(answer.status).toBe(413);
    expect((await problemOf(answer)).detail).toContain("1 MiB");
  });

  test("may begin with a byte order mark", async () => {
    expect((await server.post("/v1/reviews", `\ufeff${JSON.stringify(review)}`)).status).toBe(202);
  });

  test("does not hide a second field behind an escape", async () => {
    const twice = '{"repository":"acme/shop","pull_request":1,"\\u0070ull_request":2}';
    expect((await problemOf(await server.post("/v1/reviews", twice))).code).toBe("malformed_json");
  });

  test.each(["null", "[]", '"text"', "5", "true"])("must be an object, not %s", async (body) => {
    const answer = await server.post("/v1/reviews", body);
    expect(answer.status).toBe(422);
    expect((await problemOf(answer)).errors?.[0]).toEqual({
      path: "",
      code: "wrong_type",
      message: "must be a JSON object",
    });
  });

  test.each([
    [{ ...review, pull_request: 0 }, "/pull_request"],
    [{ ...review, pull_request: 2 ** 31 }, "/pull_request"],
    [{ ...review, pull_request: 1.5 }, "/pull_request"],
    [{ ...review, pull_request: "7" }, "/pull_request"],
    [{ ...review, repository: "shop" }, "/repository"],
    [{ ...review, repository: `${"a/".repeat(20)}b` }, "/repository"],
    [{ ...review, repository: "a/../b" }, "/repository"],
    [{ ...review, repository: "a/b.git" }, "/repository"],
    [{ ...review, options: null }, "/options"],
    [{ ...review, options: { focus_areas: "security" } }, "/options/focus_areas"],
    [{ ...review, options: { severity_threshold: "HIGH" } }, "/options/severity_threshold"],
    [{ ...review, options: { depth: 3 } }, "/options/depth"],
    [{ ...review, __proto__: null, constructor: 1 }, "/constructor"],
  ])("is refused: %j", async (body, path) => {
    const answer = await server.post("/v1/reviews", body);
    expect(answer.status).toBe(422);
    expect((await problemOf(answer)).errors?.[0]?.path).toBe(path);
  });

  test.each([2, 20])("takes a repository of %i segments", async (segments) => {
    const repository = Array(segments).fill("a").join("/");
    const answer = await server.post("/v1/reviews", { ...review, repository });
    expect((await problemOf(answer)).code).toBe("repository_not_enabled");
  });

  test("that does not arrive in time is given up", async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(1)),
    });
    const request = new Request("http://localhost/", { method: "POST", body });
    const limits = { bytes: 10, drainedBytes: 20, ms: 20 };
    await expect(readBytes(request, limits)).rejects.toThrow("did not arrive");
  });
});
