/** What the HTTP server is given; it makes none of it. */
import type { TSchema } from "@sinclair/typebox";
import type { Caller, MemberRole } from "../domain/organization.ts";
import type { Review, ReviewOptions, ReviewOrigin } from "../domain/review.ts";
import type { Clock, Ids, Logger } from "../domain/runtime.ts";
import type { OpenStore, Store } from "../domain/store.ts";
import type { Metrics } from "./metrics.ts";

export interface ServerDeps {
  store: OpenStore;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  metrics: Metrics;
  /** Stores the review and its job in one transaction, then wakes the worker. */
  requestReview: RequestReview;
  /** What an admin can do, served under /api; already bound to whatever it works on. */
  operations: readonly ServedOperation[];
  /** Without a trailing slash; known once the server listens. */
  siteUrl: () => string;
  /** IP addresses and CIDR blocks whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
  /** Of Plumbline, for the API document. */
  version: string;
}

export type RequestReview = (request: {
  organizationId: string;
  repository: string;
  pullRequest: number;
  options: ReviewOptions;
  origin: ReviewOrigin;
  /** Runs first in the review's transaction, knowing the id the review will have; throwing undoes everything. */
  alsoInTransaction?: (tx: Store, reviewId: string) => Promise<void>;
}) => Promise<Review>;

/** One thing an admin can do (see src/admin/operations.ts), with its schemas and the least role that may. */
export interface ServedOperation {
  /** `keys.create` */
  name: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `/api/keys/:id`; parameters are fields of `input`, like the query (GET, DELETE) or the body (others). */
  path: `/api/${string}`;
  role: MemberRole;
  summary: string;
  input: TSchema;
  output: TSchema;
  /** Checks the caller's role, then the input. Errors: AppError `forbidden`, `validation_failed`, and its own. */
  run(caller: Caller, input: unknown): Promise<unknown>;
}
