/** A migration that cannot be taken back, where the project keeps its migrations in pairs. */
import { findingAt, type Rule } from "../rule.ts";
import type { PullRequestCheck } from "./pull-request-check.ts";

const withoutDown: Rule = {
  id: "any/migration-without-way-back",
  title: "migration without its way back",
  category: "data_integrity",
  severity: "low",
  cwe: null,
  message: "This migration has no `{down}` beside it.",
  why: "When the release has to be taken back, the database cannot follow.",
  advice: "Add the file that undoes the migration, or say in it why there is no way back.",
  placement: "summary",
  bad: [{ path: "db/7_orders.up.sql", before: null, after: "CREATE TABLE orders (id int);\n" }],
  ok: [
    {
      path: "db/7_orders.up.sql",
      before: null,
      after: "CREATE TABLE orders (id int);\n",
      alongside: { "db/7_orders.down.sql": { before: null, after: "DROP TABLE orders;\n" } },
    },
    { path: "db/7_orders.sql", before: null, after: "CREATE TABLE orders (id int);\n" },
  ],
};

export const migrationPairs: PullRequestCheck = {
  rules: [withoutDown],
  wants: (files) => files.filter(({ path }) => isUp(path)).map(({ path }) => downOf(path)),
  *find({ files, others }) {
    for (const file of files) {
      if (!isUp(file.path) || file.diff.change !== "added" || others.has(downOf(file.path))) continue;
      yield { file, finding: findingAt(withoutDown, 1, { down: nameOf(downOf(file.path)) }) };
    }
  },
};

function isUp(path: string): boolean {
  return path.endsWith(".up.sql");
}

function downOf(path: string): string {
  return path.replace(/\.up\.sql$/, ".down.sql");
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
