/** What a migration may do to a database that is in use. */
import { type Finding, findingAt } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import * as rules from "./sql-rules.ts";
import { bareName, type Statement } from "./sql-statements.ts";

export function isMigrationPath(path: string): boolean {
  return /(^|\/)(?:db\/)?(?:migrations?|migrate|flyway|changelogs?|schema_migrations|versions)\/|(^|\/)V\d[\w.]*__[^/]*\.sql$|\.up\.sql$/i.test(
    path,
  );
}

/** Files that undo a migration: they delete what it made. */
export function takesBackPath(path: string): boolean {
  return /(?:^|[/._-])(?:down|rollback|revert|undo)(?:[/._-]|$)|(^|\/)U\d[\w.]*__[^/]*$/i.test(path);
}

/** Seeds, dumps and whole schemas start from nothing. */
const startsFromNothing =
  /(^|[/._-])(?:seeds?|dump|schema|baseline|init(?:ial)?)(?:[/._-]|\d|$)|^(?:reset|clean)[\w-]*\.|(?:reset|clean)(?:[_-]?(?:all|db|database))?\.\w+$/i;
const postgres =
  /\b(?:jsonb|timestamptz|(?:big)?serial|plpgsql|regclass|bytea|gen_random_uuid|uuid_generate_v4)\b|::\w|USING (?:gin|gist|brin|btree)\b/i;
const mysql = /`|\b(?:ENGINE ?=|AUTO_INCREMENT|UNSIGNED)\b/i;
const name = '((?:["`[]?[\\w$-]+["`\\]]?\\.)*["`[]?[\\w$-]+["`\\]]?)';

export function* findMigrationRisks(file: SourceFile, statements: readonly Statement[]): Generator<Finding> {
  const fileName = file.path.slice(file.path.lastIndexOf("/") + 1);
  if (startsFromNothing.test(fileName)) return;
  const fresh = tablesMadeHere(statements);
  yield* firstAdded(
    file,
    statements.flatMap((statement) => [...findDrops(statement, statements, fresh)]),
  );
  yield* firstAdded(
    file,
    statements.flatMap((statement) => [...findRenames(statement, fresh)]),
  );
  const slow: Finding[] = [];
  for (const statement of statements) {
    yield* findWithoutWhere(file, statement, statements, fresh);
    const table = alteredTable(statement.text);
    if (table === "" || fresh.has(table)) continue;
    if (!mysql.test(file.text)) yield* findRequiredColumns(statement);
    slow.push(...findTypeChanges(statement));
  }
  yield* firstAdded(file, slow);
  if (postgres.test(file.text)) yield* firstAdded(file, [...findLocks(statements, fresh)]);
}

/** One comment a migration: it is released or held back as a whole. */
function* firstAdded(file: SourceFile, findings: readonly Finding[]): Generator<Finding> {
  const first = findings.find(({ line }) => file.added.has(line));
  if (first !== undefined) yield first;
}

/** Empty when the statement alters no table. */
function alteredTable(text: string): string {
  return bareName(/^ALTER TABLE (?:IF EXISTS |ONLY )*(\S+) /i.exec(text)?.[1] ?? "");
}

/** Tables that this file creates or empties, under any of their names: nothing in them can be lost or in the way. */
function tablesMadeHere(statements: readonly Statement[]): ReadonlySet<string> {
  const made = new Set<string>();
  const making = new RegExp(
    `^(?:CREATE (?:\\w+ )*(?:TABLE|VIEW) (?:IF NOT EXISTS )?|TRUNCATE (?:TABLE )?|SELECT .{1,500} INTO )${name}`,
    "i",
  );
  const renaming = new RegExp(
    `^(?:ALTER TABLE (?:IF EXISTS )?${name} RENAME TO|RENAME TABLE ${name} TO) ${name}`,
    "i",
  );
  for (const { text } of statements) {
    const table = making.exec(text)?.[1];
    if (table !== undefined) made.add(bareName(table));
    const [, from, mysqlFrom, to = ""] = renaming.exec(text) ?? [];
    if (made.has(bareName(from ?? mysqlFrom ?? ""))) made.add(bareName(to));
  }
  return made;
}

const scratchName = /^(?:tmp|temp|bak|old|new|_)|(?:tmp|temp|bak|backup|old|new|_deprecated|unused)$/i;

function* findDrops(
  statement: Statement,
  statements: readonly Statement[],
  fresh: ReadonlySet<string>,
): Generator<Finding> {
  const { text, lineAt } = statement;
  const [, kind = "", dropped = ""] =
    new RegExp(`^(DROP TABLE|TRUNCATE)(?: TABLE)?(?: IF EXISTS)? ${name}`, "i").exec(text) ?? [];
  const table = bareName(dropped);
  const nothingLost = scratchName.test(table) || isCopied(table, statement, statements);
  if (table !== "" && !nothingLost && (kind.toUpperCase() === "TRUNCATE" || !fresh.has(table)))
    yield findingAt(rules.drop, lineAt(0), { statement: kind.toUpperCase(), name: table });
  const altered = alteredTable(text);
  if (altered === "" || fresh.has(altered)) return;
  for (const match of text.matchAll(new RegExp(`(?<=[ ,])DROP COLUMN (?:IF EXISTS )?${name}`, "gi"))) {
    const column = bareName(match[1] ?? "");
    if (!isCopied(column, statement, statements))
      yield findingAt(rules.drop, lineAt(match.index), {
        statement: "DROP COLUMN",
        name: `${altered}.${column}`,
      });
  }
}

/** Whether an earlier statement of the migration reads what is dropped, to write it elsewhere. */
function isCopied(name: string, drop: Statement, statements: readonly Statement[]): boolean {
  const copying = /^(?:UPDATE|INSERT|WITH|MERGE|CREATE (?:\w+ )*TABLE .{1,200}\bAS\b)/i;
  const word = new RegExp(`(?<!\\w)${name.replace(/\$/g, "\\$")}(?!\\w)`, "i");
  return statements
    .slice(0, statements.indexOf(drop))
    .some(({ text }) => copying.test(text) && word.test(text));
}

function* findRenames({ text, lineAt }: Statement, fresh: ReadonlySet<string>): Generator<Finding> {
  const pattern = new RegExp(
    `^ALTER TABLE (?:IF EXISTS |ONLY )*${name} RENAME (?:COLUMN )?(?:${name} )?TO ${name}`,
    "i",
  );
  const [, table = "", column] = pattern.exec(text) ?? [];
  if (table === "" || fresh.has(bareName(table)) || column?.toUpperCase() === "CONSTRAINT") return;
  yield findingAt(rules.rename, lineAt(0), {
    name: column === undefined ? bareName(table) : `${bareName(table)}.${bareName(column)}`,
  });
}

function* findWithoutWhere(
  file: SourceFile,
  { text, lineAt }: Statement,
  statements: readonly Statement[],
  fresh: ReadonlySet<string>,
): Generator<Finding> {
  const [, statement = "", table = ""] =
    new RegExp(`^(DELETE FROM|UPDATE)(?: ONLY)? ${name}`, "i").exec(text) ?? [];
  if (table === "" || fresh.has(bareName(table)) || /\b(?:WHERE|JOIN|LIMIT|USING)\b/i.test(text)) return;
  if (
    statement.toUpperCase() === "UPDATE" &&
    (!/ SET /i.test(text) || fillsNewColumn(text, table, statements))
  )
    return;
  const line = lineAt(0);
  if (/^\s*(?:--|\/\*|#)/.test(file.lines[line - 2] ?? "")) return;
  yield findingAt(rules.withoutWhere, line, {
    statement: statement.toUpperCase().split(" ")[0] ?? "",
    table: bareName(table),
  });
}

/** `ADD COLUMN c` and then `UPDATE … SET c = …` is how a new or changed column gets its first values. */
function fillsNewColumn(update: string, table: string, statements: readonly Statement[]): boolean {
  const column = bareName(new RegExp(` SET ${name} =`, "i").exec(update)?.[1] ?? "");
  return statements.some(
    ({ text }) => alteredTable(text) === bareName(table) && text.toLowerCase().includes(column),
  );
}

const addedColumn = new RegExp(
  `(?<=[ ,])ADD (?:COLUMN )?(?:IF NOT EXISTS )?(?!CONSTRAINT|CHECK|PRIMARY|FOREIGN|UNIQUE|INDEX|KEY|PARTITION)${name} ((?:[^,()]|\\([^()]*\\)){1,300})`,
  "gi",
);

function* findRequiredColumns({ text, lineAt }: Statement): Generator<Finding> {
  for (const match of text.matchAll(addedColumn)) {
    const [, column = "", definition = ""] = match;
    if (
      /\bNOT NULL\b/i.test(definition) &&
      !/\b(?:DEFAULT|GENERATED|IDENTITY|AS|\w*SERIAL|SET NOT NULL)\b/i.test(definition)
    )
      yield findingAt(rules.notNullWithoutDefault, lineAt(match.index), { column: bareName(column) });
  }
}

function* findTypeChanges({ text, lineAt }: Statement): Generator<Finding> {
  for (const match of text.matchAll(
    new RegExp(
      `(?<=[ ,])ALTER (?:COLUMN )?${name} (?:SET DATA )?TYPE (?!text\\b|(?:character )?varying|varchar\\b|citext\\b)`,
      "gi",
    ),
  ))
    yield findingAt(rules.typeChange, lineAt(match.index), { column: bareName(match[1] ?? "") });
}

function* findLocks(statements: readonly Statement[], fresh: ReadonlySet<string>): Generator<Finding> {
  const index = new RegExp(
    `^CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)(?:IF NOT EXISTS )?(?:${name} )?ON (?:ONLY )?${name}`,
    "i",
  );
  const foreignKey = new RegExp(
    `^ALTER TABLE (?:IF EXISTS |ONLY )*${name} ADD (?:CONSTRAINT ${name} )?FOREIGN KEY(?!.*\\bNOT VALID\\b)`,
    "i",
  );
  for (const { text, lineAt } of statements) {
    const indexed = index.exec(text)?.[2];
    if (indexed !== undefined && !fresh.has(bareName(indexed)))
      yield findingAt(rules.blockingIndex, lineAt(0), { table: bareName(indexed) });
    const constrained = foreignKey.exec(text)?.[1];
    if (constrained !== undefined && !fresh.has(bareName(constrained)))
      yield findingAt(rules.validatedForeignKey, lineAt(0), { table: bareName(constrained) });
  }
}
