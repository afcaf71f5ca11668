/**
 * The tables of migrations/, for Kysely. Times are milliseconds since 1970 UTC, booleans 0 and 1, JSON is text;
 * each repository turns its rows into what the domain speaks of.
 */
import type { Category, Severity } from "../domain/comment.ts";
import type { JobState, Lane } from "../domain/job.ts";
import type { KeyRole } from "../domain/organization.ts";
import type { CodeHostKind } from "../domain/repository.ts";
import type { FailureCode, ReviewOrigin, ReviewStatus } from "../domain/review.ts";
import type { DeliveryErrorClass, DeliveryState, ReviewEventName } from "../domain/webhook.ts";

type Milliseconds = number;
type Flag = 0 | 1;
type Json = string;

export interface Tables {
  plans: PlanRow;
  organizations: OrganizationRow;
  api_keys: ApiKeyRow;
  versions: { name: string; version: number };
  code_hosts: CodeHostRow;
  repositories: RepositoryRow;
  pull_request_heads: { repository_id: string; pull_request: number; head_sha: string };
  pull_request_baselines: { repository_id: string; recorded_at: Milliseconds };
  reviews: ReviewRow;
  review_comments: CommentRow;
  review_totals: ReviewTotalRow;
  review_periods: ReviewPeriodRow;
  credit_periods: CreditPeriodRow;
  credit_entries: CreditEntryRow;
  job_lanes: JobLaneRow;
  jobs: JobRow;
  webhook_endpoints: EndpointRow;
  webhook_circuits: CircuitRow;
  webhook_messages: MessageRow;
  webhook_deliveries: DeliveryRow;
  webhook_attempts: AttemptRow;
  idempotency_keys: IdempotencyRow;
  request_counts: { hour: string; subject: string; count: number };
  settings: { name: string; value: Json };
  schema_migrations: { version: number; name: string; applied_at: Milliseconds };
}

export interface PlanRow {
  name: string;
  credits_per_month: number;
  requests_per_hour: number;
}

export interface OrganizationRow {
  id: string;
  slug: string;
  name: string;
  plan: string;
  credits_per_month: number | null;
  requests_per_hour: number | null;
  created_at: Milliseconds;
}

export interface ApiKeyRow {
  id: string;
  organization_id: string;
  name: string;
  role: KeyRole;
  hash: string;
  last_four: string;
  created_at: Milliseconds;
  last_used_at: Milliseconds | null;
  expires_at: Milliseconds | null;
  revoked_at: Milliseconds | null;
}

export interface CodeHostRow {
  id: string;
  organization_id: string;
  kind: CodeHostKind;
  name: string;
  url: string;
  web_url: string | null;
  settings: Json;
  sealed_token: string | null;
  sealed_webhook_secret: string | null;
  created_at: Milliseconds;
}

export interface RepositoryRow {
  id: string;
  organization_id: string;
  name: string;
  code_host_id: string;
  auto_review: Flag;
  reviews_count: number;
  last_review_at: Milliseconds | null;
  created_at: Milliseconds;
  disabled_at: Milliseconds | null;
}

export interface ReviewRow {
  id: string;
  organization_id: string;
  repository_id: string;
  repository: string;
  pull_request: number;
  origin: ReviewOrigin;
  status: ReviewStatus;
  comments_count: number;
  created_at: Milliseconds;
  started_at: Milliseconds | null;
  completed_at: Milliseconds | null;
  pull_request_url: string | null;
  head_sha: string | null;
  base_sha: string | null;
  failure_code: FailureCode | null;
  failure_message: string | null;
  files_analyzed: number | null;
  tokens_used: number | null;
  duration_seconds: number | null;
  options: Json;
  summary: string | null;
}

export interface CommentRow {
  review_id: string;
  position: number;
  path: string;
  line: number;
  start_line: number | null;
  severity: Severity;
  category: Category;
  message: string;
  suggestion: string | null;
  engine: string;
  rule: string;
  cwe: number | null;
  fingerprint: string;
}

export interface ReviewTotalRow extends Record<ReviewStatus, number> {
  organization_id: string;
  /** Empty in the row that counts the whole organization. */
  repository: string;
  version: number;
}

export interface ReviewPeriodRow {
  organization_id: string;
  period: string;
  reviews: number;
  completed: number;
  tokens_used: number;
  duration_seconds: number;
}

export interface CreditPeriodRow {
  organization_id: string;
  period: string;
  total: number;
  used: number;
  reserved: number;
}

export interface CreditEntryRow {
  id: string;
  organization_id: string;
  period: string;
  kind: "grant" | "adjust" | "reserve" | "settle" | "release";
  amount: number;
  review_id: string | null;
  created_at: Milliseconds;
}

export interface JobLaneRow {
  lane: Lane;
  organization_id: string;
  cap: number;
  last_claim_at: Milliseconds;
}

export interface JobRow {
  id: string;
  lane: Lane;
  organization_id: string;
  kind: string;
  state: JobState;
  priority: number;
  run_at: Milliseconds;
  attempt: number;
  max_attempts: number;
  lock_key: string | null;
  dedupe_key: string | null;
  lease_token: string | null;
  lease_until: Milliseconds | null;
  created_at: Milliseconds;
  ended_at: Milliseconds | null;
  last_error: string | null;
  payload: Json;
}

export interface EndpointRow {
  id: string;
  organization_id: string;
  url: string;
  events: Json;
  set_by_owner: Flag;
  sealed_secret: string;
  sealed_previous_secret: string | null;
  previous_secret_expires_at: Milliseconds | null;
  created_at: Milliseconds;
  disabled_reason: string | null;
  disabled_at: Milliseconds | null;
}

export interface CircuitRow {
  endpoint_id: string;
  consecutive_failures: number;
  failing_since: Milliseconds | null;
  openings: number;
  open_until: Milliseconds | null;
}

export interface MessageRow {
  id: string;
  organization_id: string;
  review_id: string;
  event: ReviewEventName;
  created_at: Milliseconds;
  body: string;
}

export interface DeliveryRow {
  id: string;
  message_id: string;
  endpoint_id: string;
  organization_id: string;
  state: DeliveryState;
  attempts: number;
  next_attempt_at: Milliseconds | null;
  created_at: Milliseconds;
  ended_at: Milliseconds | null;
}

export interface AttemptRow {
  id: string;
  delivery_id: string;
  endpoint_id: string;
  message_id: string;
  url: string;
  attempt: number;
  started_at: Milliseconds;
  duration_ms: number;
  status: number | null;
  error_class: DeliveryErrorClass | null;
  error: string | null;
  response_head: string | null;
}

export interface IdempotencyRow {
  organization_id: string;
  route: string;
  idempotency_key: string;
  fingerprint: string;
  /** Null while the request is running. */
  status: number | null;
  headers: Json | null;
  body: string | null;
  created_at: Milliseconds;
}
