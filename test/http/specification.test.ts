/** Every table of the specification's /v1, row by row, over real HTTP. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { categories, type ReviewComment, severities } from "../../src/domain/comment.ts";
import { siteUrl, startTestServer, type TestServer } from "./serve.ts";

type Check = (value: unknown) => void;
type Row = [field: string, check: Check];

const string: Check = (value) => expect(typeof value).toBe("string");
const integer: Check = (value) => expect(Number.isInteger(value)).toBe(true);
const boolean: Check = (value) => expect(typeof value).toBe("boolean");
const timestamp: Check = (value) => expect(value).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const prefixed =
  (prefix: string): Check =>
  (value) =>
    expect(value).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]+$`));
const repository: Check = (value) => expect(value).toMatch(/^[^/]+\/[^/]+$/);
const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    expect(values).toContain(value as string);
const exactly =
  (wanted: unknown): Check =>
  (value) =>
    expect(value).toEqual(wanted);

const statuses = ["pending", "processing", "completed", "failed"];

const listItem: Row[] = [
  ["id", prefixed("rev_")],
  ["repository", repository],
  ["pull_request", integer],
  ["status", oneOf(...statuses)],
  ["comments_count", integer],
  ["created_at", timestamp],
  ["completed_at", timestamp],
];
const detail: Row[] = [
  ["id", prefixed("rev_")],
  ["repository", repository],
  ["pull_request", integer],
  ["status", oneOf(...statuses)],
  ["summary", string],
  ["comments", (value) => expect(value).toBeArrayOfSize(2)],
  ["metrics", (value) => expect(value).toBeObject()],
];
const comment: Row[] = [
  ["path", string],
  ["line", integer],
  ["severity", oneOf(...severities)],
  ["category", oneOf(...categories)],
  ["message", string],
  ["suggestion", string],
];
const metrics: Row[] = [
  ["files_analyzed", exactly(12)],
  ["tokens_used", exactly(345)],
  ["duration_seconds", exactly(6)],
];
const creation: Row[] = [
  ["id", prefixed("rev_")],
  ["status", exactly("processing")],
  ["estimated_seconds", integer],
  ["webhook_url", (value) => expect(value).toStartWith(`${siteUrl}/v1/reviews/rev_`)],
];
const repositoryRows: Row[] = [
  ["id", prefixed("repo_")],
  ["name", exactly("acme/shop")],
  ["auto_review", boolean],
  ["reviews_count", integer],
  ["last_review_at", timestamp],
];
const usage: Row[] = [
  ["credits.remaining", integer],
  ["credits.total", integer],
  ["credits.resets_at", timestamp],
  ["usage.reviews_this_month", integer],
  ["usage.tokens_used", integer],
  ["usage.avg_review_time_seconds", integer],
];
const meta: Row[] = [
  ["total", integer],
  ["page", integer],
  ["per_page", integer],
];

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
  const list = await json(server.get("/v1/reviews"));
  const one = await json(server.get(`/v1/reviews/${review.id}`));
  const repositories = await json(server.get("/v1/repositories"));
  answers = {
    "Review (list item)": at(list, "data.0"),
    "List metadata": at(list, "meta"),
    "Review (detail)": one,
    Comment: at(one, "comments.0"),
    Metrics: at(one, "metrics"),
    Repository: at(repositories, "data.0"),
    Usage: await json(server.get("/v1/usage")),
    "Review creation response": await json(
      server.post("/v1/reviews", { repository: "acme/shop", pull_request: 7 }),
    ),
  };
});

afterAll(() => server[Symbol.asyncDispose]());

describe.each([
  ["Review (list item)", listItem],
  ["Review (detail)", detail],
  ["Comment", comment],
  ["Metrics", metrics],
  ["Review creation response", creation],
  ["Repository", repositoryRows],
  ["Usage", usage],
  ["List metadata", meta],
])("%s", (name, rows) => {
  test.each(rows)("has %s as specified", (field, check) => {
    check(at(answers[name], field));
  });
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

/** The value at `data.0.id`. */
function at(value: unknown, path: string): Record<string, unknown> {
  const found = path.split(".").reduce<unknown>((held, key) => (held as Record<string, unknown>)[key], value);
  return found as Record<string, unknown>;
}
