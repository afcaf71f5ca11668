/** Rules about SQL of any kind, migration or not. */
import { type Example, newFile, type Rule } from "../rule.ts";

export const compareWithNull: Rule = {
  id: "sql/eq-null",
  title: "comparison with NULL",
  category: "bug",
  severity: "high",
  cwe: null,
  message: "`{comparison}` is never true.",
  why: "A comparison with `NULL` gives neither true nor false, so this condition drops every row.",
  advice: "Use `IS NULL` or `IS NOT NULL`.",
  placement: "inline",
  bad: [
    sql("SELECT * FROM users WHERE deleted_at = NULL;\n"),
    sql("SELECT CASE WHEN a <> NULL THEN 1 END FROM t;\n"),
    sql("UPDATE t SET a = 1 WHERE b = 2 AND c != NULL;\n"),
  ],
  ok: [
    sql("SELECT * FROM users WHERE deleted_at IS NULL;\n"),
    sql("UPDATE users SET deleted_at = NULL WHERE id = 1;\n"),
    sql("UPDATE users SET a = 1, deleted_at = NULL;\n"),
    sql("EXEC clean @before = NULL;\n"),
    sql("CREATE FUNCTION f(a int = NULL) RETURNS int AS $$ SELECT 1 $$ LANGUAGE sql;\n"),
    sql("SELECT f(a := NULL);\n"),
    sql("SELECT 'a = NULL' FROM t WHERE b = 'x = NULL';\n"),
    sql("INSERT INTO t (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET b = NULL;\n"),
    sql("SET ANSI_NULLS OFF;\nSELECT * FROM t WHERE a = NULL;\n"),
    sql("SELECT * FROM t WHERE a = NULLIF(b, 1);\n"),
    sql("MERGE INTO t USING s ON t.a = s.a WHEN MATCHED AND s.b = 1 THEN UPDATE SET c = NULL;\n"),
  ],
};

export const grantAll: Rule = {
  id: "sql/grant-all",
  title: "every right to everybody",
  category: "security",
  severity: "medium",
  cwe: 250,
  message: "This gives {what}.",
  why: "One account that is taken over can then read, change and delete everything there.",
  advice: "Grant the rights that are needed on the tables that need them.",
  placement: "inline",
  bad: [
    sql("GRANT ALL ON users TO PUBLIC;\n"),
    sql("GRANT ALL PRIVILEGES ON *.* TO 'app'@'%';\n"),
    sql("GRANT INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO anon;\n"),
  ],
  ok: [
    sql("GRANT SELECT ON users TO reporting;\n"),
    sql("GRANT ALL ON users TO app_owner;\n"),
    sql("GRANT USAGE ON SCHEMA public TO PUBLIC;\n"),
    sql("GRANT EXECUTE ON FUNCTION f() TO PUBLIC;\n"),
    sql("GRANT SELECT ON pages TO PUBLIC;\n"),
    sql("REVOKE ALL ON users FROM PUBLIC;\n"),
    sql("GRANT ALL PRIVILEGES ON shop.* TO 'app'@'localhost';\n"),
  ],
};

export const rowSecurityOff: Rule = {
  id: "sql/row-security-off",
  title: "row-level security switched off",
  category: "security",
  severity: "high",
  cwe: 863,
  message: "This switches row-level security off for `{table}`.",
  why: "Its policies no longer apply, and whoever may read the table reads everybody's rows.",
  advice: "Leave it on and change the policy that is in the way.",
  placement: "inline",
  bad: [sql("ALTER TABLE invoices DISABLE ROW LEVEL SECURITY;\n")],
  ok: [
    sql("ALTER TABLE invoices ENABLE ROW LEVEL SECURITY;\n"),
    sql("ALTER TABLE invoices DISABLE TRIGGER audit;\n"),
    sql(
      "ALTER TABLE a DISABLE ROW LEVEL SECURITY;\nUPDATE a SET b = 1 WHERE c = 2;\nALTER TABLE a ENABLE ROW LEVEL SECURITY;\n",
    ),
    newFile("db/migrations/2_x.down.sql", "ALTER TABLE invoices DISABLE ROW LEVEL SECURITY;\n"),
  ],
};

export const concurrentlyInTransaction: Rule = {
  id: "sql/concurrently-in-transaction",
  title: "CONCURRENTLY inside a transaction",
  category: "bug",
  severity: "high",
  cwe: null,
  message: "`CONCURRENTLY` does not work inside a transaction.",
  why: "PostgreSQL refuses the statement, and the migration stops here.",
  advice: "Move it to a migration of its own that runs without a transaction.",
  placement: "inline",
  bad: [sql("BEGIN;\nCREATE INDEX CONCURRENTLY a ON b (c);\nCOMMIT;\n")],
  ok: [
    sql("CREATE INDEX CONCURRENTLY a ON b (c);\n"),
    sql("BEGIN;\nCREATE INDEX a ON b (c);\nCOMMIT;\n"),
    sql("BEGIN;\nSELECT 1;\nCOMMIT;\nCREATE INDEX CONCURRENTLY a ON b (c);\n"),
    sql("BEGIN;\nREFRESH MATERIALIZED VIEW CONCURRENTLY a;\nCOMMIT;\n"),
  ],
};

export const notInSubquery: Rule = {
  id: "sql/not-in-nullable",
  title: "NOT IN a subquery",
  category: "bug",
  severity: "low",
  cwe: null,
  message: "This `NOT IN` finds nothing once its subquery gives one `NULL`.",
  why: "A comparison with `NULL` is never true, so every row is dropped without an error.",
  advice: "Use `NOT EXISTS`, or exclude `NULL` in the subquery.",
  placement: "summary",
  bad: [sql("SELECT * FROM a WHERE b NOT IN (SELECT c FROM d);\n")],
  ok: [
    sql("SELECT * FROM a WHERE b NOT IN (SELECT c FROM d WHERE c IS NOT NULL);\n"),
    sql("SELECT * FROM a WHERE b NOT IN (1, 2);\n"),
    sql("SELECT * FROM a WHERE id NOT IN (SELECT id FROM d);\n"),
    sql("SELECT * FROM a WHERE b IN (SELECT c FROM d);\n"),
  ],
};

function sql(text: string): Example {
  return newFile("db/queries/report.sql", text);
}
