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
  /(^|[/._-])(?:seeds?|dump|schema|baseline|init(?:ial)?|reset|clean)(?:[/._-]|\d|$)/i;
const postgres =
  /\b(?:jsonb|timestamptz|(?:big)?serial|plpgsql|regclass|bytea|gen_random_uuid|uuid_generate_v4)\b|::\w|USING (?:gin|gist|brin|btree)\b/i;
const mysql = /`|\b(?:ENGINE ?=|AUTO_INCREMENT|UNSIGNED)\b/i;
const name = '((?:["`[]?[\\w$-]+["`\\]]?\\.)*["`[]?[\\w$-]+["`\\]]?)';

export function* findMigrationRisks(file: SourceFile, statements: readonly Statement[]): Generator<Finding> {
  const fileName = file.path.slice(file.path.lastIndexOf("/") + 1);
  if (startsFromNothing.test(fileName)) return;
  const fresh = tablesMadeHere(statements);
  for (const statement of statements) {
    yield* findDrops(statement, fresh);
    yield* findRenames(statement, fresh);
    yield* findWithoutWhere(file, statement, statements, fresh);
    const table = /^ALTER TABLE (?:IF EXISTS |ONLY )*(\S+) /i.exec(statement.text)?.[1];
    if (table === undefined || fresh.has(bareName(table))) continue;
    if (!mysql.test(file.text)) yield* findRequiredColumns(statement);
    yield* findTypeChanges(statement);
  }
  if (postgres.test(file.text)) yield* findLocks(statements, fresh);
}

/** Tables that this file creates or empties, under any of their names: nothing in them can be lost or in the way. */
function tablesMadeHere(statements: readonly Statement[]): ReadonlySet<string> {
  const made = new Set<string>();
  const making = new RegExp(
    `^(?:CREATE (?:\\w+ )*TABLE (?:IF NOT EXISTS )?|TRUNCATE (?:TABLE )?|SELECT .{1,500} INTO )${name}`,
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

function* findDrops({ text, lineAt }: Statement, fresh: ReadonlySet<string>): Generator<Finding> {
  const [, kind = "", dropped = ""] =
    new RegExp(`^(DROP TABLE|TRUNCATE)(?: TABLE)?(?: IF EXISTS)? ${name}`, "i").exec(text) ?? [];
  const table = bareName(dropped);
  const emptiesOwn = kind.toUpperCase() === "TRUNCATE" ? false : fresh.has(table);
  if (table !== "" && !emptiesOwn && !scratchName.test(table))
    yield findingAt(rules.drop, lineAt(0), { statement: kind.toUpperCase(), name: table });
  const altered = /^ALTER TABLE (?:IF EXISTS |ONLY )*(\S+) /i.exec(text)?.[1] ?? "";
  if (altered === "" || fresh.has(bareName(altered))) return;
  for (const match of text.matchAll(new RegExp(`(?<=[ ,])DROP (?:COLUMN )(?:IF EXISTS )?${name}`, "gi")))
    yield findingAt(rules.drop, lineAt(match.index), {
      statement: "DROP COLUMN",
      name: `${bareName(altered)}.${bareName(match[1] ?? "")}`,
    });
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

/** `ADD COLUMN c` and then `UPDATE … SET c = …` is how a new column gets its first values. */
function fillsNewColumn(update: string, table: string, statements: readonly Statement[]): boolean {
  const column = bareName(new RegExp(` SET ${name} =`, "i").exec(update)?.[1] ?? "");
  return statements.some(({ text }) => {
    const [, altered = "", added = ""] =
      new RegExp(
        `^ALTER TABLE (?:IF EXISTS |ONLY )*${name} ADD (?:COLUMN )?(?:IF NOT EXISTS )?${name}`,
        "i",
      ).exec(text) ?? [];
    return (
      bareName(altered) === bareName(table) &&
      (bareName(added) === column || text.toLowerCase().includes(column))
    );
  });
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
      `(?<=[ ,])ALTER (?:COLUMN )?${name} (?:SET DATA )?TYPE (?!text\\b|varchar\\b(?!\\()|citext\\b)`,
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
