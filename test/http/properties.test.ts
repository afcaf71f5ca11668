/** Whatever is asked: no 5xx, no status and no shape that the OpenAPI document does not have. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { openApiDocument } from "../../src/http/openapi/document.ts";
import { problemsWith } from "./document-answers.ts";
import { requestsOf, routesOf } from "./document-requests.ts";
import { startTestServer, type TestServer } from "./serve.ts";

const document = await openApiDocument({ servers: [], version: "0.0.0", operations: [] });
const routes = routesOf(document);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.store.organizations.update("org_acme", { requestsPerHour: 1_000_000, creditsPerMonth: 100 });
  await server.completes(await server.asks());
});
afterAll(() => server[Symbol.asyncDispose]());

describe.each(routes)("$name", (route) => {
  test("answers any request as it is documented", async () => {
    const runs = route.path.startsWith("/v1") ? 150 : 15;
    await fc.assert(
      fc.asyncProperty(requestsOf(route, document), async ({ path, init }) => {
        const answer = await server.fetch(path, init);
        const text = await answer.text();
        expect(answer.status).toBeLessThan(500);
        expect(problemsWith(document, route.operation, answer, text)).toEqual([]);
      }),
      { numRuns: runs, seed: 20_261_121 },
    );
  }, 20_000);
});
