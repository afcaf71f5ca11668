/** A migration takes a column or a table away while code that stays still reads or writes it. */
import type { FoundLine } from "../../../domain/search.ts";
import { isTestPath } from "../../../domain/test-path.ts";
import { type Example, findingAt, type Rule } from "../rule.ts";
import { isMigrationPath, takesBackPath } from "../scanners/sql-migrations.ts";
import { bareName, statementsOf } from "../scanners/sql-statements.ts";
import type { SourceFile } from "../source-file.ts";
import { definesName } from "../uses/defining-lines.ts";
import { isCode } from "../uses/only-one.ts";
import type { RepositoryAtHead } from "../uses/repository-at-head.ts";
import { placesText } from "./places.ts";
import type { PullRequestCheck } from "./pull-request-check.ts";

const reading = 'db.query("SELECT id, legacy_price FROM orders WHERE id = $1")\n';

const droppedInUse: Rule = {
  id: "any/dropped-in-use",
  title: "dropped from the database, still used",
  category: "data_integrity",
  severity: "high",
  cwe: null,
  message: "This takes `{name}` away, but {places} still {verb} it.",
  why: "From the moment the migration has run, that code fails, and what was stored there is lost.",
  advice: "First release code that does without it, then take it away in a later release.",
  placement: "inline",
  bad: [
    migration("ALTER TABLE orders DROP COLUMN legacy_price;\n", { "src/orders.ts": reading }),
    migration("ALTER TABLE orders RENAME COLUMN legacy_price TO old_price;\n", { "src/orders.ts": reading }),
    migration("DROP TABLE order_drafts;\n", {
      "src/drafts.go": 'var q = "DELETE FROM order_drafts WHERE id = 1"\n',
    }),
    migration("ALTER TABLE orders DROP COLUMN legacy_price;\n", {
      "shop/orders.py": 'SQL = """\nSELECT\n  id,\n  legacy_price\nFROM orders\n"""\n',
    }),
    {
      path: "db/migrate/7_drop.rb",
      before: null,
      after:
        "class Drop < ActiveRecord::Migration\n  def change\n    remove_column :orders, :legacy_price\n  end\nend\n",
      alongside: unchanged({
        "app/models/order.rb": "Order.order(:legacy_price).each { |one| show(one) }\n",
      }),
    },
  ],
  ok: [
    migration("ALTER TABLE orders DROP COLUMN legacy_price;\n", {
      "src/orders.ts": "const legacy_price = total(orders);\nshow({ legacy_price });\n",
    }),
    migration("ALTER TABLE orders DROP COLUMN legacy_price;\n", {
      "src/orders.ts": "db.query('SELECT id FROM orders')\n",
    }),
    migration("ALTER TABLE orders DROP COLUMN legacy_price;\n", {
      "src/other.ts": "db.query('SELECT legacy_price FROM offers')\n",
    }),
    migration("ALTER TABLE orders DROP COLUMN legacy_price;\n", { "test/orders.test.ts": reading }),
    migration("ALTER TABLE orders DROP COLUMN legacy_price;\n", { "src/orders.ts": `// ${reading}` }),
    migration(
      "CREATE TABLE orders_new (id int);\nDROP TABLE order_drafts;\nALTER TABLE orders_new RENAME TO order_drafts;\n",
      {
        "src/drafts.go": 'var q = "DELETE FROM order_drafts WHERE id = 1"\n',
      },
    ),
    migration("ALTER TABLE orders DROP COLUMN legacy_price;\n", {
      "src/orders.ts": reading,
      "db/schema.rb": 't.integer "legacy_price"\n',
    }),
  ],
};

export const droppedInUses: PullRequestCheck = {
  rules: [droppedInUse],
  wants: () => [],
  asks: (files) =>
    files.flatMap(({ diff, head }) =>
      head === null || !isMigration(diff.path)
        ? []
        : dropsIn(diff.path, head).flatMap((drop) =>
            [drop.column ?? drop.table, ...(drop.column === null ? [] : namesOfTable(drop.table))].map(
              (word) => ({
                word,
                readIn: [],
              }),
            ),
          ),
    ),
  *find({ files, repository }) {
    if (repository === null) return;
    for (const file of files) {
      if (!isMigration(file.path) || file.isTest) continue;
      const finding = firstInUse(file, repository);
      if (finding !== null) yield { file, finding };
    }
  },
};

function isMigration(path: string): boolean {
  return isMigrationPath(path) && !takesBackPath(path) && /\.(?:sql|rb|py)$/.test(path);
}

interface Drop {
  table: string;
  /** Null when the whole table goes. */
  column: string | null;
  line: number;
}

const name = '((?:["`[]?[\\w$-]+["`\\]]?\\.)*["`[]?[\\w$-]+["`\\]]?)';

/** What goes for good: not what the same migration makes anew. */
function dropsIn(path: string, text: string): Drop[] {
  const all = path.endsWith(".sql") ? dropsOfSql(text) : dropsOfCode(text);
  return all.filter(({ table, column }) => isTelling(column ?? table)).slice(0, 10);
}

function dropsOfSql(text: string): Drop[] {
  const statements = [...statementsOf(text)].filter(({ takesBack }) => !takesBack);
  const made = statements.flatMap((statement) => {
    const found = new RegExp(
      `^(?:CREATE (?:\\w+ )*(?:TABLE|VIEW) (?:IF NOT EXISTS )?| ?ALTER TABLE .{1,200} RENAME TO )${name}`,
      "i",
    );
    return [bareName(found.exec(statement.text)?.[1] ?? "")];
  });
  const drops = statements.flatMap(({ text: statement, lineAt }): Drop[] => {
    const table = bareName(new RegExp(`^DROP TABLE (?:IF EXISTS )?${name}`, "i").exec(statement)?.[1] ?? "");
    if (table !== "") return [{ table, column: null, line: lineAt(0) }];
    const altered = bareName(
      new RegExp(`^ALTER TABLE (?:IF EXISTS |ONLY )*${name} `, "i").exec(statement)?.[1] ?? "",
    );
    if (altered === "") return [];
    const columns = statement.matchAll(
      new RegExp(`(?<=[ ,])(?:DROP COLUMN (?:IF EXISTS )?${name}|RENAME COLUMN ${name} TO )`, "gi"),
    );
    return [...columns].map((match) => ({
      table: altered,
      column: bareName(match[1] ?? match[2] ?? ""),
      line: lineAt(match.index),
    }));
  });
  const added = statements.flatMap(({ text: statement }) =>
    [...statement.matchAll(new RegExp(`(?<=[ ,])(?:ADD (?:COLUMN )?|TO )${name}`, "gi"))].map((match) =>
      bareName(match[1] ?? ""),
    ),
  );
  return drops.filter(
    ({ table, column }) => !made.includes(table) && (column === null || !added.includes(column)),
  );
}

/** Rails and Alembic, up to where they say how to take it back. */
function dropsOfCode(text: string): Drop[] {
  const drops: Drop[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (/^\s*def (?:self\.)?down(?:grade)?\b/.test(line)) break;
    const column =
      /\b(?:remove_column|rename_column|op\.drop_column)\b[\s(]+[:"'](\w+)["']?,\s*[:"'](\w+)/.exec(line);
    const table = /\b(?:op\.)?drop_table\b[\s(]+[:"'](\w+)/.exec(line);
    if (column !== null) drops.push({ table: column[1] ?? "", column: column[2] ?? "", line: index + 1 });
    else if (table !== null) drops.push({ table: table[1] ?? "", column: null, line: index + 1 });
  }
  return drops;
}

/** A name of several parts that no other thing is likely to have. */
function isTelling(word: string): boolean {
  return word.length >= 8 && /[a-z]_[a-z]/.test(word) && !/_(?:at|on|id|by|type|name|count|date)$/.test(word);
}

/** `orders`, `order`, `Order`: what code calls it. */
function namesOfTable(table: string): string[] {
  const single = table.replace(/ies$/, "y").replace(/s$/, "");
  const model = single.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return [...new Set([table, model])];
}

function firstInUse(file: SourceFile, repository: RepositoryAtHead) {
  for (const drop of dropsIn(file.path, file.text)) {
    if (!file.added.has(drop.line)) continue;
    const uses = usesOf(drop, repository);
    if (uses.length === 0) continue;
    const shown = drop.column === null ? drop.table : `${drop.table}.${drop.column}`;
    const verb = uses.length === 1 ? "uses" : "use";
    return findingAt(droppedInUse, drop.line, { name: shown, places: placesText(uses), verb });
  }
  return null;
}

const schema = /(^|\/)(?:schema|structure)[\w.-]*\.(?:rb|sql|prisma)$|\.prisma$|(^|\/)schema\//;
const comment = /^\s*(?:\/\/|#|\*|--|\/\*)/;

/** Queries of it; none where the schema or a function of that name shows that something else may be meant. */
function usesOf({ table, column }: Drop, repository: RepositoryAtHead): readonly FoundLine[] {
  const lines = repository.linesWith(column ?? table);
  if (lines === null || column === table || lines.some(({ path }) => schema.test(path))) return [];
  const code = lines.filter(({ path, text }) => isReader(path) && !comment.test(text));
  if (column === null) return code.filter(({ text }) => namesTable(text, table));
  if (code.some(({ text }) => !query.test(text) && definesName(text, column))) return [];
  const ofTable = namesOfTable(table).flatMap((word) => repository.linesWith(word) ?? []);
  return code.filter(
    (line) => ofTable.some(({ path }) => path === line.path) && readsColumn(line, column, ofTable, table),
  );
}

function isReader(path: string): boolean {
  return isCode(path) && !isTestPath(path) && !isMigrationPath(path);
}

const query = /\b(?:SELECT|UPDATE|INSERT|DELETE|WHERE|ORDER BY)\b/;
const condition = /\b(?:where|order|pluck|select|find_by|group|order_by|values_list|defer)\s*\(/;

/** In a query, or in the list of columns of one that names the table a few lines away. */
function readsColumn(line: FoundLine, column: string, ofTable: readonly FoundLine[], table: string): boolean {
  const { path, text } = line;
  if (query.test(text)) return true;
  if (condition.test(text)) return new RegExp(`["'\`:.]${column}\\b`).test(text);
  const listed = new RegExp(
    `^[\\s,]*(?:\\w+\\.)?["\`]?${column}["\`]?\\s*(?:=\\s*[$:?%@]\\w*)?\\s*,?\\s*$`,
  ).test(text);
  const near = (other: FoundLine) => other.path === path && Math.abs(other.line - line.line) <= queryLines;
  return listed && ofTable.some((other) => near(other) && namesTable(other.text, table));
}

const queryLines = 15;

/** In a query, or where a model says which table is its own. */
function namesTable(text: string, table: string): boolean {
  const place = `["'\`]?(?:\\w+["\`]?\\.)?["'\`]?${table}\\b`;
  return (
    new RegExp(`\\b(?:FROM|JOIN|INTO|UPDATE)\\s+${place}`).test(text) ||
    new RegExp(`\\b(?:table_name|__tablename__|db_table)\\s*=\\s*["']${table}["']`).test(text)
  );
}

function migration(sql: string, others: Readonly<Record<string, string>>): Example {
  return { path: "db/migrations/7_drop.sql", before: null, after: sql, alongside: unchanged(others) };
}

function unchanged(files: Readonly<Record<string, string>>): NonNullable<Example["alongside"]> {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, { before: text, after: text }]),
  );
}
