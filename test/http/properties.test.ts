/** Whatever is asked: no 5xx, no status and no shape that the OpenAPI document does not have. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import Ajv2020 from "ajv/dist/2020";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { openApiDocument } from "../../src/http/openapi/document.ts";
import { type DocumentedOperation, requestsOf } from "./document-requests.ts";
import { startTestServer, type TestServer } from "./serve.ts";

interface Answer {
  $ref?: string;
  content?: Record<string, { schema: object }>;
}

const document = await openApiDocument({ servers: [], version: "0.0.0", operations: [] });
const paths = document.paths as Record<string, Record<string, DocumentedOperation>>;
const routes = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...{ name: `${method.toUpperCase()} ${path}`, method: method.toUpperCase(), path, operation },
  })),
);

const ajv = new Ajv2020({ strict: false });
addFormats(ajv);
ajv.addSchema(document, "document");

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
      fc.asyncProperty(requestsOf(route, lookUp), async ({ path, init }) => {
        const answer = await server.fetch(path, init);
        const text = await answer.text();
        expect(answer.status).toBeLessThan(500);
        expect(problemsWith(route.operation, answer, text)).toEqual([]);
      }),
      { numRuns: runs, seed: 20_261_121 },
    );
  }, 20_000);
});

function problemsWith(operation: DocumentedOperation, answer: Response, text: string): unknown[] {
  const documented = operation.responses[String(answer.status)] as Answer | undefined;
  if (documented === undefined) return [`status ${answer.status} is not documented: ${text}`];
  const { content } = documented.$ref === undefined ? documented : (lookUp(documented.$ref) as Answer);
  if (content === undefined) return text === "" ? [] : ["a body is not documented"];
  const type = answer.headers.get("content-type")?.split(";")[0] ?? "";
  const schema = content[type]?.schema;
  if (schema === undefined) return [`content type ${type} is not documented`];
  if (!type.endsWith("json")) return [];
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object;
  return ajv.validate(absolute, JSON.parse(text)) ? [] : (ajv.errors ?? []);
}

function lookUp(reference: string): unknown {
  const steps = reference.replace("#/", "").split("/");
  return steps.reduce<unknown>((held, step) => (held as Record<string, unknown>)[step], document);
}
