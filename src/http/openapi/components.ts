/** What operations of the OpenAPI document refer to: schemas, headers, parameters and the way to authenticate. */
import { ListMeta } from "../schemas/building-blocks.ts";
import { Health } from "../schemas/health.ts";
import { Problem } from "../schemas/problem.ts";
import { Repository, RepositoryList } from "../schemas/repository.ts";
import * as review from "../schemas/review.ts";
import { Usage } from "../schemas/usage.ts";
import { toComponent } from "./schema.ts";

const schemas = [
  review.ReviewList,
  review.ReviewListItem,
  review.ReviewDetail,
  review.Comment,
  review.Metrics,
  review.ReviewFailure,
  review.ReviewCreation,
  review.ReviewAccepted,
  RepositoryList,
  Repository,
  Usage,
  ListMeta,
  Health,
  Problem,
];

const integer = { type: "integer", minimum: 0 };
const string = { type: "string" };

export const headers = {
  "X-Request-Id": {
    description: "The request's id: what was sent, or a new one. Also in the log.",
    schema: string,
    example: "req_01JD8Y3Q2M9V4T6B7N8P0R1S2T",
  },
  "X-RateLimit-Limit": { description: "Maximum requests per hour.", schema: integer, example: 5000 },
  "X-RateLimit-Remaining": { description: "Requests remaining in the hour.", schema: integer, example: 4999 },
  "X-RateLimit-Reset": {
    description: "Unix seconds at which the count starts anew.",
    schema: integer,
    example: 1_795_244_400,
  },
  ETag: {
    description: "Names this state of the answer; send it as If-None-Match.",
    schema: string,
    example: 'W/"1k2m3n4p5q"',
  },
  Link: {
    description: "The list's first, previous, next and last page (RFC 8288).",
    schema: string,
    example: '<http://localhost:8080/v1/reviews?page=2>; rel="next"',
  },
  Location: { description: "The address of what was made.", schema: { type: "string", format: "uri" } },
  "Idempotency-Replayed": {
    description: "`true` when this is the stored answer to an earlier request.",
    schema: { type: "string", enum: ["true"] },
  },
  "Retry-After": {
    description: "Seconds after which trying again makes sense.",
    schema: { type: "integer", minimum: 1 },
  },
  "WWW-Authenticate": {
    description: "How to authenticate.",
    schema: string,
    example: 'Bearer realm="plumbline"',
  },
} as const;

export type HeaderName = keyof typeof headers;

export const parameters = {
  "X-Request-Id": {
    name: "X-Request-Id",
    in: "header",
    description:
      "Names the request in answer and log; without one (or with an unusual one) a new one is made.",
    schema: { type: "string", pattern: "^[A-Za-z0-9._~:=+/@-]{1,128}$" },
  },
  "If-None-Match": {
    name: "If-None-Match",
    in: "header",
    description: "An ETag of an earlier answer: while nothing changed, the answer is 304 without a body.",
    schema: string,
  },
  "Idempotency-Key": {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Makes repeating the request safe for 24 hours: the first answer is replayed. Bare or quoted, at most 255 characters.",
    schema: { type: "string", minLength: 1, maxLength: 257 },
    example: "0b6e1f9e-3f0a-4c55-9a1e-6f1f7a0c2d11",
  },
} as const;

export const components = {
  schemas: Object.fromEntries(schemas.map((schema) => [schema.$id, toComponent(schema)])),
  headers,
  parameters,
  securitySchemes: {
    apiKey: {
      type: "http",
      scheme: "bearer",
      bearerFormat: "plk_…",
      description: "An API key, made by an admin with `plumbline keys create`.",
    },
  },
};
