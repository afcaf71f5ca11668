/** The OpenAPI document: valid, complete, the same as the committed one, and true of who may reach what. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import Ajv2020 from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { operations } from "../src/admin/operations.ts";
import { openApiDocument } from "../src/http/openapi/document.ts";
import { version } from "../src/version.ts";
import { startTestServer, type TestServer } from "./http/serve.ts";

const committed = join(import.meta.dir, "../docs/openapi.json");
/** Whoever knows the address may read these; everything else needs a key. */
const openToEverybody = [
  "GET /healthz",
  "GET /readyz",
  "GET /metrics",
  "GET /errors",
  "GET /errors/{code}",
  "GET /swagger",
  "GET /swagger/json",
];

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security: unknown[];
  parameters: { $ref?: string; name?: string; in?: string; description?: string }[];
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> };
  responses: Record<string, { $ref?: string; description?: string; headers?: object; content?: Content }>;
}
type Content = Record<
  string,
  { schema: object; example?: unknown; examples?: Record<string, { value: unknown }> }
>;
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, { description: string; headers: object; content: Content }> };
}

const document = (await openApiDocument({
  servers: [{ url: "http://localhost:8080", description: "This installation." }],
  version,
  operations,
})) as unknown as Document;

const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...{ name: `${method.toUpperCase()} ${path}`, method: method.toUpperCase(), path, operation },
  })),
);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    operations: operations.map((operation) => ({ ...operation, run: async () => ({}) })),
  });
});
afterAll(() => server[Symbol.asyncDispose]());

describe("the OpenAPI document", () => {
  test("is the committed one (else: bun src/main.ts openapi > docs/openapi.json)", async () => {
    expect(await Bun.file(committed).json()).toEqual(JSON.parse(JSON.stringify(document)));
  });

  test("is valid to a validator that is not ours", async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  test("is what the server hands out", async () => {
    const served = (await (await server.get("/swagger/json")).json()) as Document;
    expect(Object.keys(served.paths)).toEqual(Object.keys(document.paths));
  });

  test("has every operation that an admin can run", () => {
    const names = routes.map(({ name }) => name);
    for (const { method, path } of operations) {
      expect(names).toContain(`${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
    }
  });

  test("names every operation once", () => {
    const ids = routes.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
  });

  test("shows nothing of how it is made", () => {
    const text = JSON.stringify(document);
    expect(text).not.toContain("x-plumbline");
    expect(text).not.toContain('"$id"');
    expect(text).not.toContain("multipart/form-data");
  });
});

describe.each(routes)("$name", ({ method, path, operation }) => {
  test("is described whole", () => {
    expect(operation.summary).not.toBeEmpty();
    expect(operation.tags).toHaveLength(1);
    for (const parameter of operation.parameters) {
      if (parameter.$ref === undefined) expect(parameter).toHaveProperty("schema");
    }
    for (const placeholder of path.match(/\{(\w+)\}/g) ?? []) {
      const inPath = operation.parameters.filter((parameter) => parameter.in === "path");
      expect(inPath.map(({ name }) => `{${name}}`)).toContain(placeholder);
    }
    for (const answer of Object.values(operation.responses).map(resolve)) {
      expect(answer.description).not.toBeEmpty();
      expect(answer.headers).toHaveProperty("X-Request-Id");
      if (path.startsWith("/v1")) expect(answer.headers).toHaveProperty("X-RateLimit-Limit");
    }
  });

  test("has examples that fit their schemas", () => {
    const contents = Object.values(operation.responses).map((answer) => resolve(answer).content ?? {});
    for (const content of [...contents, operation.requestBody?.content ?? {}]) {
      for (const { schema, example, examples } of Object.values(content as Content)) {
        const all = [
          ...(example === undefined ? [] : [example]),
          ...Object.values(examples ?? {}).map((e) => e.value),
        ];
        for (const each of all) expect(problemsOf(schema, each)).toEqual([]);
      }
    }
    if (path.startsWith("/v1")) {
      const success = Object.entries(operation.responses).find(([status]) => status.startsWith("2"))?.[1];
      expect(success?.content?.["application/json"]?.example).toBeDefined();
    }
  });

  test(`is ${openToEverybody.includes(`${method} ${path}`) ? "open to everybody" : "closed to strangers"}`, async () => {
    const isOpen = openToEverybody.includes(`${method} ${path}`);
    expect(operation.security).toEqual(isOpen ? [] : [{ apiKey: [] }]);
    const address = path.replace("{code}", "internal").replace(/\{\w+\}/g, "x");
    const answer = await server.fetch(address, { method, headers: { authorization: "none" } });
    expect(answer.status).toBe(isOpen ? 200 : 401);
  });
});

function resolve(answer: Operation["responses"][string]): {
  description?: string;
  headers?: object;
  content?: Content;
} {
  if (answer.$ref === undefined) return answer;
  const shared = document.components.responses[answer.$ref.replace("#/components/responses/", "")];
  if (shared === undefined) throw new Error(`${answer.$ref} is not there`);
  return shared;
}

const ajv = new Ajv2020({ strict: false });
addFormats(ajv);
ajv.addSchema(document, "document");

function problemsOf(schema: object, value: unknown): unknown[] {
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object;
  ajv.validate(absolute, value);
  return ajv.errors ?? [];
}
