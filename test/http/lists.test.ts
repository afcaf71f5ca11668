import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { siteUrl, startTestServer, type TestServer } from "./serve.ts";

let server: TestServer;
const ids: string[] = [];

beforeAll(async () => {
  server = await startTestServer();
  for (let number = 1; number <= 45; number += 1) {
    ids.unshift((await server.asks({ pullRequest: number })).id);
    if (number % 3 === 0) server.clock.passes("1 second");
  }
});
afterAll(() => server[Symbol.asyncDispose]());

interface List {
  data: { id: string }[];
  meta: { total: number; page: number; per_page: number };
}

async function list(query: string): Promise<List & { links: Record<string, string> }> {
  const answer = await server.get(`/v1/reviews${query}`);
  const links = (answer.headers.get("link") ?? "").split(", ").map((link) => {
    const [, url = "", rel = ""] = /^<([^>]+)>; rel="(\w+)"$/.exec(link) ?? [];
    return [rel, url.replace(`${siteUrl}/v1/reviews`, "")];
  });
  return { ...((await answer.json()) as List), links: Object.fromEntries(links) };
}

describe("a list of reviews", () => {
  test("is newest first, ties by id, and complete over its pages", async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => list(`?page=${page}`)));
    expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(ids);
    expect(pages[1]?.meta).toEqual({ total: 45, page: 2, per_page: 20 });
  });

  test("links to its first, previous, next and last page and keeps the other parameters", async () => {
    expect((await list("?limit=10&page=3&status=processing")).links).toEqual({
      first: "?limit=10&page=1&status=processing",
      prev: "?limit=10&page=2&status=processing",
      next: "?limit=10&page=4&status=processing",
      last: "?limit=10&page=5&status=processing",
    });
  });

  test("links to what is there only", async () => {
    expect(Object.keys((await list("?limit=100")).links)).toEqual(["first", "last"]);
    expect(Object.keys((await list("?limit=45")).links)).toEqual(["first", "last"]);
    expect(Object.keys((await list("")).links)).toEqual(["first", "next", "last"]);
    expect(Object.keys((await list("?page=3")).links)).toEqual(["first", "prev", "last"]);
  });

  test("has no results past its end, and leads back", async () => {
    const { data, meta, links } = await list("?page=9");
    expect(data).toEqual([]);
    expect(meta).toEqual({ total: 45, page: 9, per_page: 20 });
    expect(links.prev).toBe("?page=3&limit=20");
  });

  test("can be followed from the first page to the last by its links", async () => {
    const seen: string[] = [];
    let next: string | undefined = "?limit=7";
    while (next !== undefined) {
      const page: Awaited<ReturnType<typeof list>> = await list(next);
      seen.push(...page.data.map(({ id }) => id));
      next = page.links.next;
    }
    expect(seen).toEqual(ids);
  });

  test("of an organization without reviews has one empty page", async () => {
    await using other = await startTestServer();
    const answer = await other.get("/v1/reviews");
    expect(await answer.json()).toEqual({ data: [], meta: { total: 0, page: 1, per_page: 20 } });
    expect(answer.headers.get("link")).toContain('rel="last"');
  });

  test.each([
    "limit=0",
    "limit=101",
    "limit=-1",
    "limit=1e1",
    "limit=0x10",
    "limit=5.0",
    "limit=%205",
    "limit=",
  ])("refuses %s", async (query) => {
    expect((await server.get(`/v1/reviews?${query}`)).status).toBe(422);
  });

  test.each([
    ...["page=0", "page=-1", "page=two", "page=9999999999", "status=done", "status=", "repository=shop"],
    ...[
      "repository=a//b",
      "repository=a/..",
      "repository=%E0%A4",
      "per_page=5",
      "limit=5&limit=6",
      "__proto__=1",
    ],
  ])("refuses %s", async (query) => {
    expect((await server.get(`/v1/reviews?${query}`)).status).toBe(422);
  });

  test("takes no parameter where there is none", async () => {
    for (const path of ["/v1/repositories?limit=5", "/v1/usage?month=1", `/v1/reviews/${ids[0]}?full=1`]) {
      expect((await server.get(path)).status).toBe(422);
    }
  });
});
