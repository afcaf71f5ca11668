/** Every row of the error table, with its exact status and code; and what all of them have in common. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { AppError, type ErrorKind, errorKinds } from "../../src/domain/errors.ts";
import type { OpenStore } from "../../src/domain/store.ts";
import { errorCatalogue } from "../../src/http/error-catalogue.ts";
import { altered } from "./altered-store.ts";
import { problemOf, siteUrl, startTestServer, type TestServer } from "./serve.ts";

let server: TestServer;
/** What the database does to the next reader of reviews. */
let storeFails: unknown = null;

beforeAll(async () => {
  server = await startTestServer({ store: failing });
});
afterAll(() => server[Symbol.asyncDispose]());

const review = { repository: "acme/shop", pull_request: 7 };
const json = { "content-type": "application/json" };

interface Case {
  status: number;
  code: ErrorKind;
  when: string;
  answer: () => Promise<Response>;
}

const cases: Case[] = [
  {
    status: 400,
    code: "malformed_json",
    when: "the body is cut short",
    answer: () => posting('{"repository":'),
  },
  { status: 400, code: "malformed_json", when: "there is no body", answer: () => posting("") },
  {
    status: 400,
    code: "malformed_json",
    when: "a field is there twice",
    answer: () => posting('{"repository":"acme/shop","pull_request":1,"pull_request":2}'),
  },
  {
    status: 400,
    code: "malformed_json",
    when: "the body is nested without end",
    answer: () => posting(`${"[".repeat(100_000)}${"]".repeat(100_000)}`),
  },
  {
    status: 400,
    code: "invalid_encoding",
    when: "the body is not UTF-8",
    answer: () => posting(new Blob([Uint8Array.from([0x22, 0xff, 0x22])])),
  },
  { status: 401, code: "unauthenticated", when: "there is no key", answer: () => withKey("none") },
  {
    status: 401,
    code: "unauthenticated",
    when: "the key is unknown",
    answer: () => withKey(`Bearer ${unknownKey}`),
  },
  {
    status: 401,
    code: "unauthenticated",
    when: "the scheme is another",
    answer: () => withKey("Basic YTpi"),
  },
  {
    status: 401,
    code: "unauthenticated",
    when: "a stranger asks for what is not there",
    answer: () => server.get("/v1/nothing", { authorization: "none" }),
  },
  { status: 402, code: "insufficient_credits", when: "all credits are gone", answer: withoutCredits },
  {
    status: 404,
    code: "not_found",
    when: "there is no such review",
    answer: () => server.get("/v1/reviews/rev_01"),
  },
  {
    status: 404,
    code: "not_found",
    when: "the review is another organization's",
    answer: async () => {
      await server.hires("rival");
      const theirs = await server.asks({ organization: "rival" });
      return server.get(`/v1/reviews/${theirs.id}`);
    },
  },
  {
    status: 404,
    code: "not_found",
    when: "there is no such address",
    answer: () => server.get("/v1/nothing"),
  },
  {
    status: 404,
    code: "repository_not_enabled",
    when: "the repository is not enabled",
    answer: () => posting({ ...review, repository: "acme/unknown" }),
  },
  {
    status: 405,
    code: "method_not_allowed",
    when: "the address does not know the method",
    answer: () => server.fetch("/v1/reviews", { method: "DELETE" }),
  },
  {
    status: 413,
    code: "body_too_large",
    when: "the body has 1 MiB and a byte",
    answer: () => posting("x".repeat(1_048_577)),
  },
  {
    status: 415,
    code: "unsupported_media_type",
    when: "the body is a form",
    answer: () => server.post("/v1/reviews", "a=b", { "content-type": "application/x-www-form-urlencoded" }),
  },
  {
    status: 415,
    code: "unsupported_media_type",
    when: "the body is compressed",
    answer: () => server.post("/v1/reviews", review, { "content-encoding": "gzip" }),
  },
  {
    status: 422,
    code: "validation_failed",
    when: "a field is missing",
    answer: () => posting({ pull_request: 7 }),
  },
  {
    status: 422,
    code: "validation_failed",
    when: "a field is unknown",
    answer: () => posting({ ...review, repo: 1 }),
  },
  {
    status: 422,
    code: "validation_failed",
    when: "a parameter is unknown",
    answer: () => server.get("/v1/reviews?per_page=5"),
  },
  {
    status: 422,
    code: "idempotency_mismatch",
    when: "a key comes back with another body",
    answer: async () => {
      await server.post("/v1/reviews", review, { "idempotency-key": "k" });
      return server.post("/v1/reviews", { ...review, pull_request: 8 }, { "idempotency-key": "k" });
    },
  },
  {
    status: 500,
    code: "internal",
    when: "the service has a bug",
    answer: () => afterFailure(new Error("secret")),
  },
  {
    status: 503,
    code: "storage_full",
    when: "the disk is full",
    answer: () => afterFailure(new AppError("storage_full", "No space left.")),
  },
  {
    status: 503,
    code: "storage_busy",
    when: "the database is busy",
    answer: () => afterFailure(new AppError("storage_busy", "Locked.")),
  },
];

describe.each(cases)("$status $code, when $when", ({ status, code, answer }) => {
  test("is a problem document with that status and code", async () => {
    const response = await answer();
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
    const problem = await problemOf(response);
    expect(problem).toMatchObject({
      type: `${siteUrl}/errors/${code}`,
      title: errorCatalogue[code].title,
      status,
      code,
      request_id: response.headers.get("x-request-id") ?? "absent",
    });
    expect(problem.detail).not.toBeEmpty();
    expect(problem.instance).toStartWith("/v1/");
    for (const name of ["limit", "remaining", "reset"]) {
      expect(response.headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
    }
    expect(response.headers.get("cache-control")).toBe("no-store");
  });
});

describe("an error", () => {
  test("says how to authenticate when that is missing", async () => {
    expect((await withKey("none")).headers.get("www-authenticate")).toStartWith("Bearer");
  });

  test("names the methods that the address knows", async () => {
    const response = await server.fetch("/v1/reviews", { method: "DELETE" });
    expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS, POST");
  });

  test("says when to try again while the storage is full or busy", async () => {
    for (const kind of ["storage_full", "storage_busy"] as const) {
      const response = await afterFailure(new AppError(kind, "…"));
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    }
  });

  test("of ours tells the client nothing and the log everything", async () => {
    const response = await afterFailure(new Error("select * from secrets"));
    expect(await response.text()).not.toContain("secrets");
    expect(server.log.at(-1)).toContain("select * from secrets");
  });

  test("lists every wrong field with its place, a stable code and what is expected", async () => {
    const response = await posting({
      pull_request: "7",
      color: "red",
      options: { focus_areas: ["beauty"], severity_threshold: 3 },
    });
    expect((await problemOf(response)).errors).toMatchInlineSnapshot(`
      [
        {
          "code": "required",
          "message": "is required",
          "path": "/repository",
        },
        {
          "code": "unknown_field",
          "message": "is not a field of this request",
          "path": "/color",
        },
        {
          "code": "wrong_type",
          "message": "must be a whole number from 1 to 2147483647",
          "path": "/pull_request",
        },
        {
          "code": "invalid_value",
          "message": "must be one of bug, security, performance, error_handling, concurrency, data_integrity, api_compatibility, maintainability, testing, documentation, style, dependency, configuration",
          "path": "/options/focus_areas/0",
        },
        {
          "code": "invalid_value",
          "message": "must be one of critical, high, medium, low, info",
          "path": "/options/severity_threshold",
        },
      ]
    `);
  });

  test("of a parameter names it and what it may be", async () => {
    const response = await server.get("/v1/reviews?limit=0&page=-1&status=done&repository=shop&sort=asc");
    expect((await problemOf(response)).errors).toMatchInlineSnapshot(`
      [
        {
          "code": "unknown_parameter",
          "message": "is not a parameter of this address",
          "path": "sort",
        },
        {
          "code": "invalid_value",
          "message": "must be one of pending, processing, completed, failed",
          "path": "status",
        },
        {
          "code": "invalid_value",
          "message": "must be \`owner/repo\` with 2 to 20 segments",
          "path": "repository",
        },
        {
          "code": "invalid_value",
          "message": "must be a whole number from 1 to 100",
          "path": "limit",
        },
        {
          "code": "invalid_value",
          "message": "must be a whole number from 1 to 1000000000",
          "path": "page",
        },
      ]
    `);
  });

  test("never repeats what was sent", async () => {
    const secret = "hunter2-hunter2";
    const answers = [
      await posting({ repository: secret, pull_request: secret, options: secret }),
      await server.get(`/v1/reviews?status=${secret}&repository=${secret}&limit=${secret}`),
      await posting(`{"repository": "${secret}`),
      await withKey(`Bearer ${secret}`),
      await server.get(`/v1/reviews/${server.key}`),
      await posting({ ...review, [server.key]: 1 }),
    ];
    for (const answer of answers) {
      const text = await answer.text();
      expect(text).not.toContain(secret);
      expect(text).not.toContain(server.key);
    }
  });

  test("lists at most 20 of very many wrong fields", async () => {
    const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`field${at}`, at]));
    expect((await problemOf(await posting(body))).errors).toHaveLength(20);
  });

  test.each(Object.keys(errorKinds) as ErrorKind[])("%s is explained at its type", async (kind) => {
    const page = await server.get(`/errors/${kind}`, { authorization: "none" });
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const html = await page.text();
    expect(html).toContain(`<code>${kind}</code>`);
    expect(html).toContain(`<dd>${errorKinds[kind]}</dd>`);
  });
});

const unknownKey = `plk_${"0".repeat(30)}`.concat(checksumOfZeros());

/** CRC-32 of thirty zeros in base62, so that the key is well formed. */
function checksumOfZeros(): string {
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  let rest = Bun.hash.crc32("0".repeat(30));
  let text = "";
  for (let at = 0; at < 6; at += 1) {
    text = digits.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

function posting(body: unknown): Promise<Response> {
  if (body instanceof Blob) return server.fetch("/v1/reviews", { method: "POST", body, headers: json });
  return server.post("/v1/reviews", body);
}

function withKey(authorization: string): Promise<Response> {
  return server.get("/v1/usage", { authorization });
}

async function withoutCredits(): Promise<Response> {
  await server.hires("poor");
  await server.store.organizations.update("org_poor", { creditsPerMonth: 0 });
  const { key } = await server.makesKey({ organization: "poor" });
  return server.post("/v1/reviews", review, { authorization: `Bearer ${key}` });
}

async function afterFailure(failure: unknown): Promise<Response> {
  storeFails = failure;
  const response = await server.get("/v1/reviews");
  storeFails = null;
  return response;
}

function failing(store: OpenStore): OpenStore {
  return altered(store, {
    reviews: {
      async version(organizationId) {
        if (storeFails !== null) throw storeFails;
        return store.reviews.version(organizationId);
      },
    },
  });
}
