/**
 * The OpenAPI document of everything the server offers. @elysiajs/swagger collects routes and schemas; what it leaves out or
 * gets wrong (descriptions, errors, headers, content types, references) is completed here.
 */
import { Elysia } from "elysia";
import { createRoutes } from "../routes.ts";
import type { ServedOperation, ServerDeps } from "../server-deps.ts";
import { type CollectedOperation, completeOperation } from "./complete-operation.ts";
import { components } from "./components.ts";

export interface OpenApiOptions {
  /** Where the API is reached; the first one is what a client takes. */
  servers: readonly { url: string; description: string }[];
  version: string;
  operations: readonly Omit<ServedOperation, "run">[];
}

const description = `Automated reviews of pull requests.

Every request below \`/v1\` and \`/api\` carries \`Authorization: Bearer <API key>\`. Errors are problem documents (RFC 9457)
whose \`code\` is stable; \`/errors/{code}\` explains it. Every address answers HEAD (where it answers GET) and OPTIONS.
A trailing slash makes no difference. Times are ISO 8601 in UTC. Fields may be added to answers; none is renamed or removed
within \`/v1\`. What is marked as an extension goes beyond the specification.`;

const tags = [
  { name: "Reviews", description: "Ask for reviews and read them." },
  { name: "Repositories", description: "Where Plumbline is enabled." },
  { name: "Usage", description: "Credits and use of the month." },
  { name: "Administration", description: "Everything an admin can do; the command line does the same." },
  { name: "Service", description: "Health, metrics and reference; open to everybody unless said otherwise." },
];

/** OpenAPI 3.1. */
export async function openApiDocument(options: OpenApiOptions): Promise<Record<string, unknown>> {
  const collected = await collect(options);
  return {
    openapi: "3.1.1",
    info: {
      title: "Plumbline API",
      version: options.version,
      description,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: options.servers,
    security: [{ apiKey: [] }],
    tags,
    paths: Object.fromEntries(
      Object.entries(collected).map(([path, methods]) => [
        path,
        Object.fromEntries(
          Object.entries(methods).map(([method, operation]) => [method, completeOperation(path, operation)]),
        ),
      ]),
    ),
    components,
  };
}

type CollectedPaths = Record<string, Record<string, CollectedOperation>>;

/** The plugin is loaded here and not with the server: it is needed once, if at all. */
async function collect({ operations }: OpenApiOptions): Promise<CollectedPaths> {
  const { swagger } = await import("@elysiajs/swagger");
  const app = new Elysia().use(swagger({ path: "/collected" })).use(describedRoutes(operations));
  const answer = await app.handle(new Request("http://localhost/collected/json"));
  const { paths } = (await answer.json()) as { paths: CollectedPaths };
  return paths;
}

/** Routes that are looked at and never run, so nothing they would work on is needed. */
function describedRoutes(operations: OpenApiOptions["operations"]) {
  const neverRun = () => {
    throw new Error("a described route was run");
  };
  const described = operations.map((operation) => ({ ...operation, run: neverRun }));
  return createRoutes({ operations: described } as unknown as ServerDeps, neverRun, neverRun);
}
