/** What is said of SQL in a variable, by language. */
import type { Language } from "../languages.ts";
import { newFile, type Rule } from "../rule.ts";

const common = {
  title: "SQL built from values in a variable",
  category: "security",
  severity: "critical",
  cwe: 89,
  message: "`{name}` is put together from values on line {built} and run here as SQL.",
  why: "A value with a quote in it changes the statement, so others' data can be read, changed or deleted.",
  placement: "inline",
} as const;

const advice = "Write placeholders in the statement and pass the values separately.";

export const sqlRules: Readonly<Partial<Record<Language, Rule>>> = {
  javascript: {
    ...{ ...common, advice, id: "js/sql-in-variable" },
    bad: [
      newFile(
        "src/a.js",
        'const sql = "SELECT * FROM users WHERE name = \'" + name + "\'";\ndb.query(sql);\n',
      ),
      newFile(
        "src/a.ts",
        `const sql = \`DELETE FROM users WHERE id = '\${id}'\`;\nif (id) {\n  await pool.query(sql);\n}\n`,
      ),
      newFile(
        "src/a.js",
        `let sql = 'SELECT * FROM users WHERE a = 1';\nif (name) sql += \` AND name = '\${name}'\`;\ndb.query(sql);\n`,
      ),
    ],
    ok: [
      newFile("src/a.js", 'const sql = "SELECT * FROM users WHERE name = ?";\ndb.query(sql, [name]);\n'),
      newFile(
        "src/a.js",
        `const sql = \`SELECT * FROM users WHERE \${column} = ?\`;\ndb.query(sql, [name]);\n`,
      ),
      newFile(
        "src/a.js",
        `let sql = \`SELECT a FROM b WHERE c = '\${d}'\`;\nlog(sql);\nsql = 'SELECT 1 FROM b';\ndb.query(sql);\n`,
      ),
      newFile(
        "src/a.js",
        `const mark = '?';\nconst sql = \`SELECT a FROM b WHERE c = \${mark}\`;\ndb.query(sql, [c]);\n`,
      ),
    ],
  },
  python: {
    ...{
      ...common,
      advice: "Write placeholders in the statement and pass the values as the second argument.",
    },
    id: "py/sql-in-variable",
    bad: [
      newFile(
        "src/a.py",
        'query = "SELECT * FROM users WHERE name = \'" + name + "\'"\ncursor.execute(query)\n',
      ),
      newFile(
        "src/a.py",
        "def f(c, id):\n    sql = f\"DELETE FROM users WHERE id = '{id}'\"\n    with c:\n        c.execute(sql)\n",
      ),
      newFile("src/a.py", "sql = \"SELECT a FROM b WHERE c = '%s'\" % name\ncursor.execute(sql)\n"),
      newFile("src/a.py", "sql = \"SELECT a FROM b WHERE c = '{}'\".format(name)\ncursor.execute(sql)\n"),
    ],
    ok: [
      newFile("src/a.py", 'sql = "SELECT a FROM b WHERE c = %s"\ncursor.execute(sql, (name,))\n'),
      newFile("src/a.py", 'sql = f"SELECT a FROM {table} WHERE c = %s"\ncursor.execute(sql, (name,))\n'),
      newFile("src/a.py", 'sql = f"SELECT a FROM b WHERE c = {int(c)}"\ncursor.execute(sql)\n'),
      newFile("src/a.py", 'sql = f"SELECT a FROM b WHERE c IN ({marks})"\ncursor.execute(sql, ids)\n'),
    ],
  },
  go: {
    ...{ ...common, advice, id: "go/sql-in-variable" },
    bad: [
      newFile(
        "a.go",
        'package a\n\nfunc f() {\n\tq := "SELECT id FROM users WHERE name = \'" + name + "\'"\n\tdb.Query(q)\n}\n',
      ),
      newFile(
        "a.go",
        "package a\n\nfunc f() {\n\tq := fmt.Sprintf(\"DELETE FROM users WHERE name = '%s'\", name)\n\tdb.ExecContext(ctx, q)\n}\n",
      ),
    ],
    ok: [
      newFile(
        "a.go",
        'package a\n\nfunc f() {\n\tq := "SELECT id FROM users WHERE name = $1"\n\tdb.Query(q, name)\n}\n',
      ),
      newFile(
        "a.go",
        'package a\n\nfunc f() {\n\tq := fmt.Sprintf("SELECT id FROM %s WHERE name = $1", t)\n\tdb.Query(q, name)\n}\n',
      ),
    ],
  },
  java: {
    ...{
      ...common,
      advice: "Use a prepared statement with `?` and set the values.",
      id: "java/sql-in-variable",
    },
    bad: [
      newFile(
        "A.java",
        'class A { void f(String name) { String q = "SELECT a FROM b WHERE c = \'" + name + "\'"; jdbc.update(q); } }\n',
      ),
      newFile(
        "A.java",
        "class A { void f(String name) { String q = String.format(\"DELETE FROM b WHERE c = '%s'\", name); st.execute(q); } }\n",
      ),
    ],
    ok: [
      newFile(
        "B.java",
        'class B { void f(long id) { String q = "SELECT a FROM b WHERE c = " + id; jdbc.update(q); } }\n',
      ),
      newFile(
        "A.java",
        'class A { void f(String name) { String q = "SELECT a FROM b WHERE c = ?"; jdbc.update(q, name); } }\n',
      ),
      newFile(
        "A.java",
        'class A { void f() { String q = "SELECT a FROM " + table + " WHERE c = 1"; jdbc.update(q); } }\n',
      ),
    ],
  },
  csharp: {
    ...{
      ...common,
      advice: "Use parameters such as `@name`, or `FromSqlInterpolated`.",
      id: "cs/sql-in-variable",
    },
    bad: [
      newFile(
        "A.cs",
        "class A { void F(string name) { var q = $\"SELECT a FROM b WHERE c = '{name}'\"; connection.Query<B>(q); } }\n",
      ),
      newFile(
        "A.cs",
        'class A { void F(string name) { string q = "DELETE FROM b WHERE c = \'" + name + "\'"; new SqlCommand(q, c); } }\n',
      ),
    ],
    ok: [
      newFile(
        "A.cs",
        'class A { void F(string name) { var q = "SELECT a FROM b WHERE c = @name"; connection.Query<B>(q, new { name }); } }\n',
      ),
      newFile(
        "A.cs",
        'class A { void F(string t) { var q = $"SELECT a FROM {t} WHERE c = 1"; connection.Query<B>(q); } }\n',
      ),
    ],
  },
};
