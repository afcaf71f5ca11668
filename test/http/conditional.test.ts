import { describe, expect, test } from "bun:test";
import type { OpenStore } from "../../src/domain/store.ts";
import { altered } from "./altered-store.ts";
import { startTestServer, type TestServer } from "./serve.ts";

describe("an unchanged answer", () => {
  test.each(["/v1/reviews", "/v1/reviews?limit=5&status=processing", "/v1/reviews/:id", "/v1/repositories"])(
    "of %s is 304 without a body",
    async (pattern) => {
      await using server = await startTestServer();
      const { id } = await server.asks();
      const path = pattern.replace(":id", id);
      const tag = await tagOf(server, path);
      const again = await server.get(path, { "if-none-match": tag });
      expect(again.status).toBe(304);
      expect(await again.text()).toBe("");
      expect(again.headers.get("etag")).toBe(tag);
      expect(again.headers.get("x-ratelimit-limit")).toBe("5000");
      expect(again.headers.get("cache-control")).toBe("private, no-cache");
    },
  );

  test("of the reviews costs no row", async () => {
    let rowsRead = 0;
    await using server = await startTestServer({
      store: (store) => countingRows(store, () => (rowsRead += 1)),
    });
    const { id } = await server.asks();
    const list = await tagOf(server, "/v1/reviews");
    const detail = await tagOf(server, `/v1/reviews/${id}`);
    expect(rowsRead).toBe(2);
    await server.get("/v1/reviews", { "if-none-match": list });
    await server.get(`/v1/reviews/${id}`, { "if-none-match": detail });
    expect(rowsRead).toBe(2);
  });

  test("is known in a list of tags, weak or strong", async () => {
    await using server = await startTestServer();
    const tag = await tagOf(server, "/v1/reviews");
    for (const sent of [`"other", ${tag}`, tag.replace("W/", "")]) {
      expect((await server.get("/v1/reviews", { "if-none-match": sent })).status).toBe(304);
    }
  });

  test("of HEAD is 304, too", async () => {
    await using server = await startTestServer();
    const tag = await tagOf(server, "/v1/reviews");
    const answer = await server.fetch("/v1/reviews", { method: "HEAD", headers: { "if-none-match": tag } });
    expect(answer.status).toBe(304);
  });
});

describe("an answer is sent whole", () => {
  test("once anything about a review changed", async () => {
    await using server = await startTestServer();
    const review = await server.asks();
    const paths = ["/v1/reviews", `/v1/reviews/${review.id}`];
    const tags = await Promise.all(paths.map((path) => tagOf(server, path)));
    await server.completes(review);
    for (const [at, path] of paths.entries()) {
      expect((await server.get(path, { "if-none-match": tags[at] ?? "" })).status).toBe(200);
    }
  });

  test("once a repository was enabled", async () => {
    await using server = await startTestServer();
    const tag = await tagOf(server, "/v1/repositories");
    await server.store.repositories.update("repo_acme", { autoReview: true });
    expect((await server.get("/v1/repositories", { "if-none-match": tag })).status).toBe(200);
  });

  test("for the tag of another page, another filter, another review or another organization", async () => {
    await using server = await startTestServer();
    const [first, second] = [await server.asks(), await server.asks()];
    await server.hires("rival");
    const { key } = await server.makesKey({ organization: "rival" });
    const list = await tagOf(server, "/v1/reviews");
    const detail = await tagOf(server, `/v1/reviews/${first.id}`);
    const asked = [
      server.get("/v1/reviews?page=2", { "if-none-match": list }),
      server.get("/v1/reviews?status=failed", { "if-none-match": list }),
      server.get(`/v1/reviews/${second.id}`, { "if-none-match": detail }),
      server.get("/v1/reviews", { "if-none-match": list, authorization: `Bearer ${key}` }),
    ];
    for (const answer of await Promise.all(asked)) expect(answer.status).toBe(200);
  });

  test("for If-None-Match: *", async () => {
    await using server = await startTestServer();
    expect((await server.get("/v1/reviews", { "if-none-match": "*" })).status).toBe(200);
  });

  test("and an error has no tag", async () => {
    await using server = await startTestServer();
    const answer = await server.get("/v1/reviews/rev_nothing");
    expect(answer.status).toBe(404);
    expect(answer.headers.has("etag")).toBe(false);
  });
});

async function tagOf(server: TestServer, path: string): Promise<string> {
  const answer = await server.get(path);
  expect(answer.status).toBe(200);
  return answer.headers.get("etag") ?? "";
}

function countingRows(store: OpenStore, counted: () => void): OpenStore {
  const { reviews } = store;
  return altered(store, {
    reviews: {
      list(organizationId, filter, page) {
        counted();
        return reviews.list(organizationId, filter, page);
      },
      get(organizationId, id) {
        counted();
        return reviews.get(organizationId, id);
      },
    },
  });
}
