/** The tables of the specification's §2, row by row: what each field must be. */
import { expect } from "bun:test";
import { categories, severities } from "../../src/domain/comment.ts";

type Check = (value: unknown) => void;
export type Row = [field: string, check: Check];

const string: Check = (value) => expect(typeof value).toBe("string");
const integer: Check = (value) => expect(Number.isInteger(value)).toBe(true);
const boolean: Check = (value) => expect(typeof value).toBe("boolean");
const timestamp: Check = (value) => expect(value).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const prefixed =
  (prefix: string): Check =>
  (value) =>
    expect(value).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]+$`));
const repository: Check = (value) => expect(value).toMatch(/^[^/]+\/[^/]+$/);
const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    expect(values).toContain(value as string);
const text: Check = (value) => expect(value === null || typeof value === "string").toBe(true);

export const statuses = ["pending", "processing", "completed", "failed"];

const listItem: Row[] = [
  ["id", prefixed("rev_")],
  ["repository", repository],
  ["pull_request", integer],
  ["status", oneOf(...statuses)],
  ["comments_count", integer],
  ["created_at", timestamp],
  ["completed_at", timestamp],
];
const detail: Row[] = [
  ["id", prefixed("rev_")],
  ["repository", repository],
  ["pull_request", integer],
  ["status", oneOf(...statuses)],
  ["summary", string],
  ["comments", (value) => expect(value).toBeArray()],
  ["metrics", (value) => expect(value).toBeObject()],
];
const comment: Row[] = [
  ["path", string],
  ["line", integer],
  ["severity", oneOf(...severities)],
  ["category", oneOf(...categories)],
  ["message", string],
  ["suggestion", text],
];
const metrics: Row[] = [
  ["files_analyzed", integer],
  ["tokens_used", integer],
  ["duration_seconds", integer],
];
const creation: Row[] = [
  ["id", prefixed("rev_")],
  ["status", oneOf("processing")],
  ["estimated_seconds", integer],
  ["webhook_url", (value) => expect(value).toMatch(/^https?:\/\/[^/]+\/v1\/reviews\/rev_/)],
];
const repositoryRows: Row[] = [
  ["id", prefixed("repo_")],
  ["name", repository],
  ["auto_review", boolean],
  ["reviews_count", integer],
  ["last_review_at", timestamp],
];
const usage: Row[] = [
  ["credits.remaining", integer],
  ["credits.total", integer],
  ["credits.resets_at", timestamp],
  ["usage.reviews_this_month", integer],
  ["usage.tokens_used", integer],
  ["usage.avg_review_time_seconds", integer],
];
const meta: Row[] = [
  ["total", integer],
  ["page", integer],
  ["per_page", integer],
];

export const tables: readonly (readonly [name: string, rows: readonly Row[]])[] = [
  ["Review (list item)", listItem],
  ["Review (detail)", detail],
  ["Comment", comment],
  ["Metrics", metrics],
  ["Review creation response", creation],
  ["Repository", repositoryRows],
  ["Usage", usage],
  ["List metadata", meta],
];

/** The value at `data.0.id`. */
export function at(value: unknown, path: string): Record<string, unknown> {
  const found = path.split(".").reduce<unknown>((held, key) => (held as Record<string, unknown>)[key], value);
  return found as Record<string, unknown>;
}

/** Where each table's object is in the API's answers. */
export function objectsIn(answers: {
  list: unknown;
  detail: unknown;
  repositories: unknown;
  usage: unknown;
  created: unknown;
}): Record<string, Record<string, unknown>> {
  return {
    "Review (list item)": at(answers.list, "data.0"),
    "List metadata": at(answers.list, "meta"),
    "Review (detail)": answers.detail as Record<string, unknown>,
    Comment: at(answers.detail, "comments.0"),
    Metrics: at(answers.detail, "metrics"),
    Repository: at(answers.repositories, "data.0"),
    Usage: answers.usage as Record<string, unknown>,
    "Review creation response": answers.created as Record<string, unknown>,
  };
}
