/** The specification's /v1 and the error table once more, of the executable and with a real review. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Installation, install, type ServerProcess } from "../faults/installation.ts";
import { at, objectsIn, tables } from "../http/specification-tables.ts";
import { theExecutable } from "../support/executable.ts";
import { aRepository, type GitRepository } from "../support/git-repository.ts";

let shop: GitRepository;
let installation: Installation;
let server: ServerProcess;
let key: string;
let answers: Record<string, Record<string, unknown>>;

beforeAll(async () => {
  shop = await aRepository()
    .commit({ "src/cart.ts": "export const total = 1;\n" })
    .pullRequest(1, { "src/cart.ts": "export const total = 1;\ndebugger;\n" })
    .create("acme/shop");
  installation = await install({ program: [await theExecutable()] });
  await installation.run("hosts", "add", "git", "--name", "local", "--url", shop.urlTemplate);
  await installation.run("repos", "enable", "acme/shop", "--host", "local");
  key = await installation.run("keys", "create", "--name", "mine");
  server = await installation.serve();
  const created = await server.post("/v1/reviews", { repository: "acme/shop", pull_request: 1 });
  answers = objectsIn({
    created: created.body,
    detail: await completed(String(at(created.body, "id"))),
    list: await server.get("/v1/reviews"),
    repositories: await server.get("/v1/repositories"),
    usage: await server.get("/v1/usage"),
  });
}, 60_000);

afterAll(async () => {
  await installation[Symbol.asyncDispose]();
  await shop.remove();
});

describe.each(tables)("%s", (name, rows) => {
  test.each(rows)("has %s as specified", (field, check) => {
    check(at(answers[name], field));
  });
});

const review = '{"repository":"acme/shop","pull_request":1}';
const json = { "content-type": "application/json" };

interface Row {
  status: number;
  code: string;
  path: string;
  init?: RequestInit;
  /** Without the key. */
  stranger?: boolean;
}

const rows: Row[] = [
  { status: 400, code: "malformed_json", path: "/v1/reviews", init: { method: "POST", body: "{" } },
  {
    status: 400,
    code: "invalid_encoding",
    path: "/v1/reviews",
    init: { method: "POST", body: new Blob([Uint8Array.from([0x22, 0xff, 0x22])]) },
  },
  { status: 401, code: "unauthenticated", path: "/v1/usage", stranger: true },
  { status: 401, code: "unauthenticated", path: "/v1/nothing", stranger: true },
  { status: 403, code: "forbidden", path: "/api/keys" },
  { status: 404, code: "not_found", path: "/v1/reviews/rev_nothing" },
  { status: 404, code: "not_found", path: "/v1/nothing" },
  {
    status: 404,
    code: "repository_not_enabled",
    path: "/v1/reviews",
    init: { method: "POST", body: review.replace("shop", "other") },
  },
  { status: 405, code: "method_not_allowed", path: "/v1/usage", init: { method: "PUT" } },
  {
    status: 413,
    code: "body_too_large",
    path: "/v1/reviews",
    init: { method: "POST", body: " ".repeat(2_000_000) },
  },
  {
    status: 415,
    code: "unsupported_media_type",
    path: "/v1/reviews",
    init: { method: "POST", body: review, headers: { "content-type": "text/plain" } },
  },
  { status: 422, code: "validation_failed", path: "/v1/reviews", init: { method: "POST", body: "{}" } },
  { status: 422, code: "validation_failed", path: "/v1/reviews?limit=101" },
];

test.each(rows)("$status $code at $path", async ({ status, code, path, init = {}, stranger = false }) => {
  const known: Record<string, string> = stranger ? {} : { authorization: `Bearer ${key}` };
  const answer = await server.fetch(path, { ...init, headers: { ...json, ...init.headers, ...known } });
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
  expect(await answer.json()).toMatchObject({ code, status });
  if (path.startsWith("/v1")) expect(answer.headers.get("x-ratelimit-limit")).not.toBeNull();
});

async function completed(id: string): Promise<unknown> {
  for (;;) {
    const detail = await server.get(`/v1/reviews/${id}`);
    const status = String(at(detail, "status"));
    if (status === "completed") return detail;
    if (status === "failed") throw new Error(JSON.stringify(detail));
    await Bun.sleep(20);
  }
}
