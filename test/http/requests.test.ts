/** What HTTP itself asks for: methods, headers, addresses. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { problemOf, startTestServer, type TestServer } from "./serve.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const addresses = ["/v1/reviews", "/v1/repositories", "/v1/usage", "/healthz", "/readyz", "/swagger/json"];

describe("HEAD", () => {
  test.each(addresses)("of %s has the headers of GET and no body", async (path) => {
    const [get, head] = [await server.get(path), await server.fetch(path, { method: "HEAD" })];
    expect(head.status).toBe(200);
    expect(await head.text()).toBe("");
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
    expect(head.headers.get("content-length")).toBe(String((await get.arrayBuffer()).byteLength));
    expect(head.headers.get("etag")).toBe(get.headers.get("etag"));
  });

  test("of what is not there is 404", async () => {
    expect((await server.fetch("/v1/reviews/rev_nothing", { method: "HEAD" })).status).toBe(404);
  });
});

describe("OPTIONS", () => {
  test.each([
    ["/v1/reviews", "GET, HEAD, OPTIONS, POST"],
    ["/v1/reviews/rev_1", "GET, HEAD, OPTIONS"],
    ["/healthz", "GET, HEAD, OPTIONS"],
  ])("of %s names %s", async (path, methods) => {
    const answer = await server.fetch(path, { method: "OPTIONS" });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("allow")).toBe(methods);
  });

  test("tells a stranger nothing", async () => {
    const headers = { authorization: "none" };
    expect((await server.fetch("/v1/reviews", { method: "OPTIONS", headers })).status).toBe(401);
  });
});

describe("a method that the address does not know", () => {
  test.each([
    ["PUT", "/v1/reviews"],
    ["PATCH", "/v1/reviews/rev_1"],
    ["POST", "/v1/usage"],
    ["DELETE", "/healthz"],
  ])("is 405: %s %s", async (method, path) => {
    const answer = await server.fetch(path, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toContain("OPTIONS");
  });
});

describe("an address", () => {
  test.each(addresses)("%s may end in a slash", async (path) => {
    expect((await server.get(`${path}/`)).status).toBe(200);
  });

  test.each(["/V1/reviews", "/v1%2Freviews", "/%76%31/reviews", "/v10/reviews", "/v1/reviews/a/b"])(
    "%s is not there",
    async (path) => {
      expect((await server.get(path)).status).toBe(404);
    },
  );

  test.each(["/v1", "/v1/", "/v1/nothing", "/v1/reviews/../nothing", "/api", "/api/nothing"])(
    "%s is no stranger's business",
    async (path) => {
      expect((await server.get(path, { authorization: "none" })).status).toBe(401);
    },
  );
});

describe("X-Request-Id", () => {
  test("is made when there is none", async () => {
    expect((await server.get("/v1/usage")).headers.get("x-request-id")).toMatch(/^req_[0-9A-Z]{26}$/);
  });

  test.each(["5f0c3a52-7a34-4a5e-9f6e-1e2d3c4b5a69", "Root=1-67891233-abcdef012345678912345678"])(
    "is taken over: %s",
    async (id) => {
      const answer = await server.get("/v1/nothing", { "x-request-id": id });
      expect(answer.headers.get("x-request-id")).toBe(id);
      expect((await problemOf(answer)).request_id).toBe(id);
    },
  );

  test.each(["", "a b", "<script>", "x".repeat(129)])("is replaced when it is odd: %p", async (id) => {
    expect((await server.get("/v1/usage", { "x-request-id": id })).headers.get("x-request-id")).toStartWith(
      "req_",
    );
  });
});

describe("every answer", () => {
  test.each([...addresses, "/v1/nothing", "/nothing", "/errors/internal", "/swagger"])(
    "of %s forbids guessing its type, framing and leaking its address",
    async (path) => {
      const { headers } = await server.get(path);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("content-type")).toMatch(/; ?charset=utf-8$/);
    },
  );

  test("under /v1 is stored by nobody, or asked about each time", async () => {
    expect((await server.get("/v1/usage")).headers.get("cache-control")).toBe("no-store");
    expect((await server.get("/v1/reviews")).headers.get("cache-control")).toBe("private, no-cache");
  });

  test("asks for https from then on where the site has it", async () => {
    await using secure = await startTestServer({ siteUrl: () => "https://plumbline.test" });
    expect((await secure.get("/healthz")).headers.get("strict-transport-security")).toBe("max-age=31536000");
    expect((await server.get("/healthz")).headers.has("strict-transport-security")).toBe(false);
  });
});

test("a review that is not completed has no summary, comments and metrics yet", async () => {
  const { id } = await server.asks();
  const body = (await (await server.get(`/v1/reviews/${id}`)).json()) as Record<string, unknown>;
  expect(body).toMatchObject({ status: "processing", summary: null, comments: [], metrics: null });
  expect(body).toMatchObject({ completed_at: null, error: null, url: `http://plumbline.test/reviews/${id}` });
});

test("a failed review says why and when", async () => {
  const review = await server.asks();
  const failure = { code: "pull_request_not_found", message: "There is no pull request 7." } as const;
  await server.store.reviews.fail(review.id, failure, server.clock.now());
  const body = (await (await server.get(`/v1/reviews/${review.id}`)).json()) as Record<string, unknown>;
  expect(body).toMatchObject({
    status: "failed",
    error: failure,
    summary: null,
    comments: [],
    metrics: null,
  });
  expect(body.completed_at).toBe(server.clock.now().toISOString());
});
