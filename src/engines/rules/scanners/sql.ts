/** Faults in SQL files. What only matters to a database in use is asked of migrations alone. */
import type { Detector } from "../detector.ts";
import { type Finding, findingAt } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { findMigrationRisks, isMigrationPath, takesBackPath } from "./sql-migrations.ts";
import * as queryRules from "./sql-query-rules.ts";
import * as migrationRules from "./sql-rules.ts";
import { type Statement, statementsOf } from "./sql-statements.ts";

export const sqlFiles: Detector = {
  rules: [...Object.values(migrationRules), ...Object.values(queryRules)],
  appliesTo: (file) => /\.(?:sql|pgsql|psql|ddl)$/i.test(file.path) && file.whole && !file.isTest,
  find,
};

const statementsMax = 1_000;

function* find(file: SourceFile): Generator<Finding> {
  const statements = [...statementsOf(file.text)].filter(({ takesBack }) => !takesBack);
  if (takesBackPath(file.path)) return;
  // Some checks compare every statement with every other one; a file with so many is a dump.
  if (isMigrationPath(file.path) && statements.length <= statementsMax)
    yield* findMigrationRisks(file, statements);
  yield* findTransactions(statements);
  if (statements.some(({ text }) => /^SET ANSI_NULLS OFF/i.test(text))) return;
  for (const statement of statements) {
    yield* findNullComparisons(statement);
    yield* findRights(statement, statements);
  }
}

/** A comparison that stands where a condition does; `SET a = NULL` and arguments are assignments. */
const nullComparison =
  /(?<=\b(?:WHERE|AND|OR|ON|WHEN|HAVING|NOT)[ (]{1,9})[\w.)"`[\]]{1,80} (?:=|<>|!=) NULL\b(?![\w(])/gi;
const notInSubquery =
  /\b([\w."`]{1,80}) NOT IN ?\(SELECT (?:DISTINCT )?([\w."`]{1,80}) FROM (?![^()]*IS NOT NULL)/gi;

function* findNullComparisons({ text, lineAt }: Statement): Generator<Finding> {
  if (/^(?:CREATE|ALTER) (?:OR \w+ )?(?:FUNCTION|PROC\w*|TRIGGER)/i.test(text)) return;
  for (const match of text.matchAll(nullComparison))
    yield findingAt(queryRules.compareWithNull, lineAt(match.index), { comparison: match[0] });
  for (const { 1: column = "", index } of text.matchAll(notInSubquery))
    if (!/(?:^|\.)["`]?id["`]?$/i.test(column)) yield findingAt(queryRules.notInSubquery, lineAt(index));
}

function* findRights({ text, lineAt }: Statement, statements: readonly Statement[]): Generator<Finding> {
  const table = /^ALTER TABLE (?:IF EXISTS |ONLY )*(\S+) DISABLE ROW LEVEL SECURITY/i.exec(text)?.[1];
  if (table !== undefined && !isProtectedAgain(table, statements))
    yield findingAt(queryRules.rowSecurityOff, lineAt(0), { table });
  const what = excessiveGrant(text);
  if (what !== null) yield findingAt(queryRules.grantAll, lineAt(0), { what });
}

/** Switched off for a while, as a migration of the rows may need it. */
function isProtectedAgain(table: string, statements: readonly Statement[]): boolean {
  return (
    statements.length > statementsMax ||
    statements.some(({ text }) => text.startsWith(`ALTER TABLE ${table} ENABLE ROW`))
  );
}

function excessiveGrant(text: string): string | null {
  if (/^GRANT ALL(?: PRIVILEGES)? ON \* ?\. ?\* /i.test(text)) return "every right on every database";
  const everybody = /^GRANT (.{1,200}) TO (?:PUBLIC|anon)\b/i.exec(text)?.[1] ?? "";
  const objects = !/ ON (?:ALL )?(?:FUNCTION|PROCEDURE|ROUTINE|SCHEMA|TYPE|SEQUENCE|LANGUAGE|DATABASE)/i.test(
    everybody,
  );
  return objects && /^ALL\b|\b(?:INSERT|UPDATE|DELETE|TRUNCATE)\b/i.test(everybody)
    ? "everybody the right to change data"
    : null;
}

function* findTransactions(statements: readonly Statement[]): Generator<Finding> {
  let open = false;
  for (const { text, lineAt } of statements) {
    if (/^(?:BEGIN|START TRANSACTION)(?: |$)/i.test(text)) open = true;
    else if (/^(?:COMMIT|END|ROLLBACK)(?: |$)/i.test(text)) open = false;
    else if (open && /^(?:CREATE (?:UNIQUE )?INDEX|DROP INDEX|REINDEX \w+) CONCURRENTLY\b/i.test(text))
      yield findingAt(queryRules.concurrentlyInTransaction, lineAt(0));
  }
}
