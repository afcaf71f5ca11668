/** Makes requests from the OpenAPI document, most of them a little wrong (for fast-check). */
import fc from "fast-check";

export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  minimum?: number;
  maximum?: number;
}

export interface DocumentedOperation {
  parameters: { $ref?: string; name: string; in: string; schema: Schema }[];
  requestBody?: { content: { "application/json": { schema: Schema } } };
  responses: Record<string, unknown>;
}

/** What openApiDocument answers. */
export type ApiDocument = Record<string, unknown>;

export interface Route {
  /** `GET /v1/reviews` */
  name: string;
  method: string;
  path: string;
  operation: DocumentedOperation;
}

export function routesOf(document: ApiDocument): Route[] {
  const paths = document.paths as Record<string, Record<string, DocumentedOperation>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...{ name: `${method.toUpperCase()} ${path}`, method: method.toUpperCase(), path, operation },
    })),
  );
}

/** What a `$ref` refers to; anything else as it is. */
export function resolveIn(document: ApiDocument, value: { $ref?: string }): unknown {
  if (value.$ref === undefined) return value;
  const steps = value.$ref.replace("#/", "").split("/");
  return steps.reduce<unknown>((held, step) => (held as Record<string, unknown>)[step], document);
}

export interface MadeRequest {
  path: string;
  init: RequestInit;
}

export function requestsOf(o: Route, document: ApiDocument): fc.Arbitrary<MadeRequest> {
  const parameters = o.operation.parameters.map(
    (parameter) => resolveIn(document, parameter) as typeof parameter,
  );
  const named = (place: string) =>
    Object.fromEntries(
      parameters
        .filter((p) => p.in === place)
        .map((p) => [p.name, fc.option(textFor(p.schema), { nil: null })]),
    );
  const body = o.operation.requestBody?.content["application/json"].schema;
  return fc
    .record({
      path: fc.record(named("path")),
      query: fc.record(named("query")),
      unknownParameter: fc.option(fc.tuple(fc.string(), fc.string()), { freq: 9, nil: null }),
      headers: fc.record(named("header")),
      body: body === undefined ? fc.constant(undefined) : bodies(body, document),
    })
    .map(({ path, query, unknownParameter, headers, body: sent }) => ({
      path: filled(o.path, path) + queryOf(query, unknownParameter),
      init: {
        method: o.method,
        headers: headersOf(headers, sent !== undefined),
        ...(sent !== undefined && { body: sent }),
      },
    }));
}

/** Right, wrong in one place, wrong in kind, or no JSON at all. */
function bodies(schema: Schema, document: ApiDocument): fc.Arbitrary<string> {
  const right = valueFor(schema, document);
  const wrong = fc.oneof(
    fc
      .tuple(right, fc.string(), fc.jsonValue())
      .map(([value, name, odd]) => ({ ...(value as object), [name]: odd })),
    fc.jsonValue(),
  );
  return fc.oneof(
    { weight: 4, arbitrary: right.map((value) => JSON.stringify(value)) },
    { weight: 4, arbitrary: wrong.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.string() },
  );
}

function valueFor(schema: Schema, document: ApiDocument): fc.Arbitrary<unknown> {
  const {
    type,
    enum: values,
    properties,
    items,
    minimum = 0,
    maximum = 2 ** 31 - 1,
  } = resolveIn(document, schema) as Schema;
  if (values !== undefined) return fc.constantFrom(...values);
  if (type === "integer")
    return fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.integer(), fc.double());
  if (type === "array" && items !== undefined) return fc.array(valueFor(items, document), { maxLength: 5 });
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(
      ([name, field]) => [name, valueFor(field, document)] as const,
    );
    return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
  }
  return fc.oneof(fc.constant("acme/shop"), fc.string());
}

function textFor(schema: Schema): fc.Arbitrary<string> {
  if (schema.enum !== undefined) return fc.oneof(fc.constantFrom(...schema.enum.map(String)), fc.string());
  if (schema.type === "integer") return fc.oneof(fc.integer({ min: 1, max: 150 }).map(String), fc.string());
  return fc.oneof(fc.constant("acme/shop"), fc.string(), fc.string({ unit: "binary" }));
}

/** One dot or two would be another address. */
function filled(path: string, values: Record<string, string | null>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = (values[name] ?? "x").replace(/\p{Surrogate}/gu, "?");
    return /^\.{0,2}$/.test(value) ? "x" : encodeURIComponent(value);
  });
}

function queryOf(query: Record<string, string | null>, more: [string, string] | null): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== null);
  const parameters = new URLSearchParams([...given, ...(more === null ? [] : [more])]);
  return parameters.size === 0 ? "" : `?${parameters}`;
}

/** A header takes bytes that are neither controls nor spaces at its ends. */
function headersOf(headers: Record<string, string | null>, hasBody: boolean): Headers {
  const given = Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== null);
  const made = new Headers(given.map(([name, value]) => [name, value.replace(/[^\x21-\x7e]/g, "")]));
  if (hasBody) made.set("content-type", "application/json");
  return made;
}
