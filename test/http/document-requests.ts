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

export interface MadeRequest {
  path: string;
  init: RequestInit;
}

export function requestsOf(
  o: { method: string; path: string; operation: DocumentedOperation },
  lookUp: (reference: string) => unknown,
): fc.Arbitrary<MadeRequest> {
  const parameters = o.operation.parameters.map((parameter) =>
    parameter.$ref === undefined ? parameter : (lookUp(parameter.$ref) as typeof parameter),
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
      body: body === undefined ? fc.constant(undefined) : bodies(resolved(body, lookUp), lookUp),
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
function bodies(schema: Schema, lookUp: (reference: string) => unknown): fc.Arbitrary<string> {
  const right = valueFor(schema, lookUp);
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

function valueFor(schema: Schema, lookUp: (reference: string) => unknown): fc.Arbitrary<unknown> {
  const {
    type,
    enum: values,
    properties,
    items,
    minimum = 0,
    maximum = 2 ** 31 - 1,
  } = resolved(schema, lookUp);
  if (values !== undefined) return fc.constantFrom(...values);
  if (type === "integer")
    return fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.integer(), fc.double());
  if (type === "array" && items !== undefined) return fc.array(valueFor(items, lookUp), { maxLength: 5 });
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(
      ([name, field]) => [name, valueFor(field, lookUp)] as const,
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

function resolved(schema: Schema, lookUp: (reference: string) => unknown): Schema {
  return schema.$ref === undefined ? schema : (lookUp(schema.$ref) as Schema);
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
