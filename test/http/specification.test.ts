/** Every table of the specification's /v1, row by row, over real HTTP. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ReviewComment } from "../../src/domain/comment.ts";
import { startTestServer, type TestServer } from "./serve.ts";
import { at, objectsIn, statuses, tables } from "./specification-tables.ts";

let server: TestServer;
let answers: Record<string, Record<string, unknown>>;

beforeAll(async () => {
  server = await startTestServer();
  const review = await server.asks();
  const found: ReviewComment = {
    ...{ path: "src/cart.ts", line: 2, startLine: null, severity: "high", category: "security" },
    ...{ message: "Runs its input.", suggestion: "parse(input);", engine: "rules", rule: "js/eval" },
    ...{ cwe: 95, fingerprint: "a" },
  };
  await server.completes(review, {
    summary: "Two comments.",
    comments: [found, { ...found, line: 5, fingerprint: "b" }],
    metrics: { filesAnalyzed: 12, tokensUsed: 345, durationSeconds: 6 },
  });
  const json = async (answer: Promise<Response>) => (await answer).json() as Promise<Record<string, unknown>>;
  answers = objectsIn({
    list: await json(server.get("/v1/reviews")),
    detail: await json(server.get(`/v1/reviews/${review.id}`)),
    repositories: await json(server.get("/v1/repositories")),
    usage: await json(server.get("/v1/usage")),
    created: await json(server.post("/v1/reviews", { repository: "acme/shop", pull_request: 7 })),
  });
});

afterAll(() => server[Symbol.asyncDispose]());

describe.each(tables)("%s", (name, rows) => {
  test.each(rows)("has %s as specified", (field, check) => {
    check(at(answers[name], field));
  });
});

test("a review's metrics and comments are those of its run", () => {
  expect(answers.Metrics).toEqual({ files_analyzed: 12, tokens_used: 345, duration_seconds: 6 });
  expect(answers.Comment).toMatchObject({ path: "src/cart.ts", line: 2, suggestion: "parse(input);" });
});

describe("GET /v1/reviews", () => {
  test.each(statuses)("takes status=%s", async (status) => {
    const { data } = await listed(`?status=${status}`);
    expect(data.every((review) => review.status === status)).toBe(true);
  });

  test("filters by repository", async () => {
    expect((await listed("?repository=acme/shop")).data).not.toBeEmpty();
    expect((await listed("?repository=acme%2Fshop")).data).not.toBeEmpty();
    expect((await listed("?repository=acme/other")).data).toBeEmpty();
  });

  test("gives 20 results a page unless told otherwise, and at most 100", async () => {
    expect((await listed("")).meta.per_page).toBe(20);
    expect((await listed("?limit=100")).meta.per_page).toBe(100);
    expect((await server.get("/v1/reviews?limit=101")).status).toBe(422);
  });

  test("answers data and meta and nothing else", async () => {
    expect(Object.keys(await listed(""))).toEqual(["data", "meta"]);
  });
});

describe("POST /v1/reviews", () => {
  test("takes every field of the creation request", async () => {
    const options = { focus_areas: ["security", "bug"], severity_threshold: "medium" };
    const answer = await server.post("/v1/reviews", { repository: "acme/shop", pull_request: 8, options });
    expect(answer.status).toBe(202);
    const { id } = (await answer.json()) as { id: string };
    expect((await server.store.reviews.get("org_acme", id))?.options).toEqual({
      focusAreas: ["security", "bug"],
      severityThreshold: "medium",
    });
  });

  test("needs no options", async () => {
    const answer = await server.post("/v1/reviews", { repository: "acme/shop", pull_request: 8 });
    const { id } = (await answer.json()) as { id: string };
    expect((await server.store.reviews.get("org_acme", id))?.options).toEqual({
      focusAreas: [],
      severityThreshold: "low",
    });
  });

  test("guesses the time from the last reviews, and says 20 s before there are any", async () => {
    await using fresh = await startTestServer();
    const estimate = async () => {
      const answer = await fresh.post("/v1/reviews", { repository: "acme/shop", pull_request: 8 });
      return at(await answer.json(), "estimated_seconds") as unknown;
    };
    expect(await estimate()).toBe(20);
    for (const durationSeconds of [3, 6]) {
      const metrics = { filesAnalyzed: 1, tokensUsed: 0, durationSeconds };
      await fresh.completes(await fresh.asks(), { metrics });
    }
    expect(await estimate()).toBe(5);
  });

  test("names the review's address in Location and webhook_url, and there it is", async () => {
    const answer = await server.post("/v1/reviews", { repository: "acme/shop", pull_request: 8 });
    const { webhook_url } = (await answer.json()) as { webhook_url: string };
    expect(answer.headers.get("location")).toBe(webhook_url);
    expect((await server.get(new URL(webhook_url).pathname)).status).toBe(200);
  });
});

describe("authentication and limits", () => {
  test("takes the key as a bearer token on every request, with Content-Type even where there is no body", async () => {
    const headers = { authorization: `Bearer ${server.key}`, "content-type": "application/json" };
    for (const path of ["/v1/reviews", "/v1/repositories", "/v1/usage"]) {
      expect((await fetch(`${server.address}${path}`, { headers })).status).toBe(200);
    }
  });

  test("sends the three rate limit headers", async () => {
    const { headers } = await server.get("/v1/usage");
    expect(headers.get("x-ratelimit-limit")).toBe("5000");
    expect(headers.get("x-ratelimit-remaining")).toMatch(/^\d+$/);
    // 2026-11-21T07:00:00Z: the fake clock stands at 06:00.
    expect(headers.get("x-ratelimit-reset")).toBe("1795244400");
  });
});

interface Listed {
  data: { status: string }[];
  meta: { per_page: number };
}

async function listed(query: string): Promise<Listed> {
  const answer = await server.get(`/v1/reviews${query}`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Listed;
}
