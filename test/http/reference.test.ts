import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestServer, type TestServer } from "./serve.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

describe("the API reference", () => {
  test("loads everything from this server", async () => {
    const page = await (await server.get("/swagger")).text();
    const loaded = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = ""]) => address);
    expect(loaded).toContain("/swagger/swagger-ui-bundle.js");
    for (const address of loaded.filter((each) => each !== "data:,")) {
      expect(address).toStartWith("/swagger/");
      expect((await server.get(address)).status).toBe(200);
    }
  });

  test("forbids the browser to load anything from elsewhere", async () => {
    for (const path of ["/swagger", "/swagger/json"]) {
      const policy = (await server.get(path)).headers.get("content-security-policy") ?? "";
      expect(policy).toStartWith("default-src 'none'");
      expect(policy).not.toMatch(/https?:|\*/);
      expect(policy).toContain("script-src 'self';");
    }
  });

  test("sends its files compressed, and not again while they are the same", async () => {
    const path = "/swagger/swagger-ui.css";
    const answer = await server.get(path, { "accept-encoding": "gzip" });
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    expect(await answer.text()).toContain(".swagger-ui");
    const tag = answer.headers.get("etag") ?? "";
    expect((await server.get(path, { "if-none-match": tag })).status).toBe(304);
  });

  test("sends them plain to whoever takes no compression", async () => {
    const answer = await server.get("/swagger/swagger-ui.css", { "accept-encoding": "identity" });
    expect(answer.headers.has("content-encoding")).toBe(false);
    expect(await answer.text()).toContain(".swagger-ui");
  });

  test.each(["/swagger/nothing.js", "/swagger/..%2f..%2fpackage.json", "/swagger/constructor"])(
    "has no file %s",
    async (path) => {
      expect((await server.get(path)).status).toBe(404);
    },
  );
});
