/**
 * The OpenAPI document of everything the server offers. @elysiajs/swagger collects routes and schemas; what it leaves out or
 * gets wrong (descriptions, errors, headers, content types, references) is completed here.
 */
import { Elysia } from "elysia";
import { isGuarded } from "../front-door.ts";
import { createRoutes } from "../routes.ts";
import type { ServedOperation, ServerDeps } from "../server-deps.ts";
import { answersOf, errorsOf } from "./answers.ts";
import type { CollectedOperation } from "./collected.ts";
import { components } from "./components.ts";
import { notesKey } from "./documented.ts";
import { bodyOf, parametersOf } from "./request.ts";
import type { JsonSchema } from "./schema.ts";

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
  const errors = new Map<string, JsonSchema>();
  const paths = mapValues(collected, (methods, path) =>
    mapValues(methods, (operation) => completed(path, operation, errors)),
  );
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
    paths,
    components: { ...components, responses: Object.fromEntries([...errors].sort()) },
  };
}

function completed(path: string, collected: CollectedOperation, errors: Map<string, JsonSchema>): JsonSchema {
  const { operationId, tags, summary, description, [notesKey]: notes } = collected;
  const guarded = isGuarded(path);
  return {
    operationId,
    tags,
    summary,
    ...(description !== undefined && { description }),
    security: guarded ? [{ apiKey: [] }] : [],
    parameters: parametersOf(path, collected, notes),
    ...bodyOf(path, collected, notes),
    responses: { ...answersOf(collected, notes, guarded), ...errorsOf(notes, guarded, errors) },
  };
}

function mapValues<V, W>(record: Record<string, V>, map: (value: V, key: string) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
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
