/** Every operation under /api of a running service: whatever an admin sends, it is answered as documented. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { operations } from "../../src/admin/operations.ts";
import { openApiDocument } from "../../src/http/openapi/document.ts";
import { type Installation, install, type ServerProcess } from "../faults/installation.ts";
import { problemsWith } from "../http/document-answers.ts";
import { requestsOf, routesOf } from "../http/document-requests.ts";

const document = await openApiDocument({ servers: [], version: "0.0.0", operations });
const routes = routesOf(document).filter(({ path }) => path.startsWith("/api/"));

let installation: Installation;
let server: ServerProcess;
let key: string;

beforeAll(async () => {
  installation = await install();
  key = await installation.run("keys", "create", "--name", "admin", "--role", "admin");
  server = await installation.serve();
}, 30_000);
afterAll(() => installation[Symbol.asyncDispose]());

describe.each(routes)("$name", (route) => {
  test("answers an admin as it is documented", async () => {
    await fc.assert(
      fc.asyncProperty(requestsOf(route, document), async ({ path, init }) => {
        const headers = new Headers(init.headers);
        headers.set("authorization", `Bearer ${key}`);
        const answer = await server.fetch(path, { ...init, headers });
        const text = await answer.text();
        expect([answer.status < 500, text]).toEqual([true, text]);
        expect(problemsWith(document, route.operation, answer, text)).toEqual([]);
      }),
      { numRuns: 30, seed: 20_261_121 },
    );
  }, 30_000);
});
