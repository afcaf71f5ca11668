/** Rules about SQL: what loses data, what stops a deployment, what never matches. */
import { type Example, newFile, type Rule } from "../rule.ts";

export const withoutWhere: Rule = {
  id: "sql/no-where",
  title: "statement for all rows",
  category: "data_integrity",
  severity: "high",
  cwe: null,
  message: "This `{statement}` has no `WHERE`, so it goes for every row of `{table}`.",
  why: "If it was meant for some of them, the others are lost, and only a backup brings them back.",
  advice: "Add a `WHERE`; if all rows are meant, say so in a comment.",
  placement: "inline",
  bad: [
    migration("DELETE FROM sessions;\n"),
    migration("UPDATE users SET active = false;\n"),
    newFile("db/migrations/0012_reset_flags.sql", "UPDATE users SET active = false;\n"),
  ],
  ok: [
    migration("DELETE FROM sessions WHERE expires < now();\n"),
    migration("ALTER TABLE users ADD COLUMN active boolean;\nUPDATE users SET active = true;\n"),
    migration("UPDATE users SET a = b.a FROM b WHERE b.id = users.id;\n"),
    migration("CREATE TEMP TABLE t (id int);\nDELETE FROM t;\n"),
    migration("ALTER TABLE site ALTER COLUMN open SET DEFAULT true;\nUPDATE site SET open = true;\n"),
    migration("INSERT INTO a VALUES (1) ON CONFLICT (id) DO UPDATE SET b = 1;\n"),
    migration("SELECT * FROM a FOR UPDATE;\n"),
    migration("-- every session ends with this release\nDELETE FROM sessions;\n"),
    migration("ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES c ON DELETE CASCADE ON UPDATE SET NULL;\n"),
    newFile("db/seeds/users.sql", "DELETE FROM users;\n"),
    newFile("db/migrations/2_x.down.sql", "DELETE FROM users;\n"),
    migration("CREATE TRIGGER t BEFORE UPDATE ON a FOR EACH ROW EXECUTE FUNCTION f();\n"),
  ],
};

export const drop: Rule = {
  id: "sql/drop",
  title: "migration that deletes data",
  category: "data_integrity",
  severity: "high",
  cwe: null,
  message: "`{statement}` deletes the data in `{name}` for good.",
  why: "While the new version is rolled out the old one still reads it and fails, and taking the release back does not bring it back.",
  advice: "First release code that no longer uses it; drop it in a later migration, with a copy kept.",
  placement: "inline",
  bad: [
    migration("ALTER TABLE users DROP COLUMN nickname;\n"),
    migration("DROP TABLE orders;\n"),
    migration("TRUNCATE TABLE orders;\n"),
  ],
  ok: [
    migration("ALTER TABLE users DROP CONSTRAINT users_name_key;\n"),
    migration("DROP INDEX users_name;\n"),
    migration(
      "CREATE TABLE orders_new (id int);\nDROP TABLE orders;\nALTER TABLE orders_new RENAME TO orders;\n",
    ),
    migration("DROP TABLE IF EXISTS orders;\nCREATE TABLE orders (id int);\n"),
    newFile("db/migrations/2_x.down.sql", "DROP TABLE orders;\n"),
    migration("-- migrate:up\nCREATE TABLE a (id int);\n-- migrate:down\nDROP TABLE orders;\n"),
    newFile("scripts/reset.sql", "DROP TABLE orders;\n"),
    migration("ALTER TABLE users ALTER COLUMN a DROP NOT NULL, ALTER b DROP DEFAULT;\n"),
    migration("DROP TABLE tmp_orders;\nDROP TABLE orders_backup;\n"),
    migration("CREATE TABLE tmp (id int);\nDROP TABLE tmp;\n"),
    migration("UPDATE users SET name = nickname;\nALTER TABLE users DROP COLUMN nickname;\n"),
  ],
};

export const notNullWithoutDefault: Rule = {
  id: "sql/not-null-no-default",
  title: "required column without a value for existing rows",
  category: "data_integrity",
  severity: "high",
  cwe: null,
  message: "The new column `{column}` is `NOT NULL` and has no default.",
  why: "The migration fails as soon as the table has one row.",
  advice: "Add a default, or add the column as nullable, fill it, and then set `NOT NULL`.",
  placement: "inline",
  bad: [
    migration("ALTER TABLE users ADD COLUMN plan text NOT NULL;\n"),
    migration('ALTER TABLE "users" ADD "plan" varchar(10) NOT NULL, ADD COLUMN b int;\n'),
  ],
  ok: [
    migration("ALTER TABLE users ADD COLUMN plan text NOT NULL DEFAULT 'free';\n"),
    migration("ALTER TABLE users ADD COLUMN plan text;\n"),
    migration("CREATE TABLE users (id int);\nALTER TABLE users ADD COLUMN plan text NOT NULL;\n"),
    migration("ALTER TABLE users ADD COLUMN id bigserial NOT NULL;\n"),
    migration("ALTER TABLE users ADD COLUMN id int GENERATED ALWAYS AS IDENTITY NOT NULL;\n"),
    migration("ALTER TABLE `users` ADD COLUMN `plan` varchar(10) NOT NULL;\n"),
    migration("ALTER TABLE users ADD CONSTRAINT c CHECK (plan IS NOT NULL);\n"),
    migration("ALTER TABLE users ADD COLUMN a text, ALTER COLUMN b SET NOT NULL;\n"),
    migration("TRUNCATE TABLE users;\nALTER TABLE users ADD COLUMN plan text NOT NULL;\n"),
  ],
};

export const rename: Rule = {
  id: "sql/rename",
  title: "table or column renamed in use",
  category: "api_compatibility",
  severity: "medium",
  cwe: null,
  message: "`{name}` is gone under its old name as soon as this runs.",
  why: "While the new version is rolled out the old one still asks for that name and fails.",
  advice: "Add the new name beside the old one, move the code over, and drop the old one in a later release.",
  placement: "summary",
  bad: [
    migration("ALTER TABLE users RENAME COLUMN name TO full_name;\n"),
    migration("ALTER TABLE users RENAME TO accounts;\n"),
  ],
  ok: [
    migration(
      "CREATE TABLE users_new (id int);\nDROP TABLE users;\nALTER TABLE users_new RENAME TO users;\n",
    ),
    migration("ALTER INDEX a RENAME TO b;\n"),
    migration("ALTER TABLE users RENAME CONSTRAINT a TO b;\n"),
    migration("ALTER TYPE mood RENAME VALUE 'a' TO 'b';\n"),
    newFile("db/migrations/2_x.down.sql", "ALTER TABLE users RENAME TO accounts;\n"),
    migration("ALTER TABLE users RENAME TO users_old;\nCREATE TABLE users (id int);\n"),
  ],
};

export const blockingIndex: Rule = {
  id: "sql/index-not-concurrent",
  title: "index that blocks writes while it is built",
  category: "performance",
  severity: "medium",
  cwe: null,
  message: "Building this index on `{table}` blocks every write to it until it is done.",
  why: "On a large table that is minutes in which requests hang.",
  advice: "Use `CREATE INDEX CONCURRENTLY`, outside of a transaction, where the table can be large.",
  placement: "summary",
  bad: [migration("ALTER TABLE a ADD b jsonb;\nCREATE INDEX users_name ON users (name);\n")],
  ok: [
    migration("CREATE INDEX CONCURRENTLY users_name ON users (name);\n"),
    migration("CREATE TABLE users (id bigserial, name text);\nCREATE INDEX users_name ON users (name);\n"),
    migration("CREATE INDEX users_name ON users (name);\n"),
  ],
};

export const validatedForeignKey: Rule = {
  id: "sql/foreign-key-validated",
  title: "foreign key checked under a lock",
  category: "performance",
  severity: "low",
  cwe: null,
  message: "Adding this foreign key to `{table}` checks every row while writes to both tables wait.",
  why: "On large tables that is minutes in which requests hang.",
  advice:
    "Add it `NOT VALID` and run `VALIDATE CONSTRAINT` in a migration of its own, where the tables can be large.",
  placement: "summary",
  bad: [
    migration(
      "ALTER TABLE a ADD b jsonb;\nALTER TABLE orders ADD CONSTRAINT o FOREIGN KEY (user_id) REFERENCES users (id);\n",
    ),
  ],
  ok: [
    migration(
      "ALTER TABLE a ADD b jsonb;\nALTER TABLE orders ADD CONSTRAINT o FOREIGN KEY (user_id) REFERENCES users (id) NOT VALID;\n",
    ),
    migration(
      "CREATE TABLE orders (id bigserial);\nALTER TABLE orders ADD FOREIGN KEY (id) REFERENCES users (id);\n",
    ),
  ],
};

export const typeChange: Rule = {
  id: "sql/type-change",
  title: "column type changed",
  category: "data_integrity",
  severity: "medium",
  cwe: null,
  message: "Changing the type of `{column}` rewrites the table while nobody can read or write it.",
  why: "On a large table that is minutes of standstill, and values that do not fit the new type stop the migration.",
  advice: "Add a column of the new type, fill it in steps, and switch over, where the table can be large.",
  placement: "summary",
  bad: [migration("ALTER TABLE users ALTER COLUMN id TYPE bigint;\n")],
  ok: [
    migration("ALTER TABLE users ALTER COLUMN name TYPE text;\n"),
    migration("ALTER TABLE users ALTER COLUMN name SET DEFAULT 'a';\n"),
    migration("CREATE TABLE users (id int);\nALTER TABLE users ALTER COLUMN id TYPE bigint;\n"),
  ],
};

function migration(text: string): Example {
  return newFile("db/migrations/20260301_change.sql", text);
}
