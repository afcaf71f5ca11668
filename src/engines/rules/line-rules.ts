/** Rules that one line of text decides. The first cut, before there are trees. */
import type { Category, Severity } from "../../domain/comment.ts";
import type { Language } from "./languages.ts";
import { type Example, type Finding, findingAt, type Rule } from "./rule.ts";
import { addedLinesOf, type SourceFile } from "./source-file.ts";

interface LineRule extends Rule {
  languages: readonly Language[];
  pattern: RegExp;
  inTests: boolean;
}

const script = ["javascript", "typescript", "tsx"] as const;

function lineRule(o: {
  id: string;
  title: string;
  languages: readonly Language[];
  category?: Category;
  severity: Severity;
  cwe: number | null;
  pattern: RegExp;
  inTests?: boolean;
  message: string;
  why: string;
  advice: string;
  bad: readonly string[];
  ok: readonly string[];
}): LineRule {
  const extension = { javascript: "js", python: "py", go: "go" }[
    o.languages[0] as "javascript" | "python" | "go"
  ];
  const example = (code: string): Example => ({
    path: `src/example.${extension}`,
    before: null,
    after: `${code}\n`,
  });
  return {
    placement: "inline",
    category: "security",
    inTests: false,
    ...o,
    bad: o.bad.map(example),
    ok: o.ok.map(example),
  };
}

const code = "^(?!\\s*(?://|#|\\*|/\\*))";
const line = (source: string) => new RegExp(`${code}.*(?:${source})`);

export const lineRules: readonly LineRule[] = [
  lineRule({
    id: "js/debugger",
    title: "debugger statement",
    languages: script,
    category: "maintainability",
    severity: "medium",
    cwe: 489,
    inTests: true,
    pattern: /^\s*debugger\s*;?\s*(?:\/\/.*)?$/,
    message: "A `debugger` statement was left in.",
    why: "It stops the program whenever developer tools are open.",
    advice: "Remove it.",
    bad: ["  debugger;"],
    ok: ["// debugger;", "const debugger_ = 1;"],
  }),
  lineRule({
    id: "js/eval",
    title: "eval of computed code",
    languages: script,
    severity: "high",
    cwe: 95,
    pattern: line("(?<![\\w.$])(?:eval|new Function)\\(\\s*(?![\"'`)\\s])"),
    message: "`eval` runs a computed string as code.",
    why: "Whoever can influence the string runs code of their own with the program's rights.",
    advice: "Use `JSON.parse` for data, or a lookup table of functions for behavior.",
    bad: ["const x = eval(input);", "const f = new Function(body);"],
    ok: ['eval("1 + 1");', "model.eval(input);", "// eval(input)"],
  }),
  lineRule({
    id: "js/tls-verify-off",
    title: "certificate checking turned off",
    languages: script,
    severity: "high",
    cwe: 295,
    pattern: line(
      "rejectUnauthorized[\"']?\\s*[:=]\\s*false|NODE_TLS_REJECT_UNAUTHORIZED[\"'\\]]*\\s*=\\s*[\"']?0",
    ),
    message: "This turns off the check of the server's certificate.",
    why: "Anyone on the network path can read and change what is sent.",
    advice: "Remove it; trust a private certificate authority with the `ca` option instead.",
    bad: [
      "const agent = new Agent({ rejectUnauthorized: false });",
      'process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";',
    ],
    ok: ["const agent = new Agent({ rejectUnauthorized: true });"],
  }),
  lineRule({
    id: "js/empty-catch",
    title: "error swallowed",
    languages: script,
    category: "error_handling",
    severity: "low",
    cwe: 390,
    pattern: line("\\bcatch\\s*(?:\\(\\s*\\w+\\s*\\))?\\s*\\{\\s*\\}"),
    message: "This `catch` block is empty.",
    why: "When the code in `try` fails nobody will know, and the program goes on with a wrong state.",
    advice: "Handle the error, log it, or say in a comment why it can be ignored.",
    bad: ["try { save(); } catch (error) {}", "try { save(); } catch {}"],
    ok: ["try { save(); } catch { /* already closed */ }", "promise.catch(() => {});"],
  }),
  lineRule({
    id: "js/command-injection",
    title: "shell command built from values",
    languages: script,
    severity: "critical",
    cwe: 78,
    pattern: line(
      "(?<![\\w.$])(?:(?:child_process|cp)\\.)?exec(?:Sync)?\\(\\s*(?:`[^`]*\\$\\{|[\"'][^\"']*[\"']\\s*\\+)",
    ),
    message: "A shell command is put together from values.",
    why: "A value with `;`, `$(…)` or a backtick in it runs commands of its own.",
    advice: "Call `execFile` or `spawn` with the program and its arguments as an array.",
    bad: ["exec(`git log ${branch}`);", 'execSync("rm " + file);'],
    ok: ['exec("git status");', "regex.exec(`a${b}`);"],
  }),
  lineRule({
    id: "js/sql-injection",
    title: "SQL built from values",
    languages: script,
    severity: "critical",
    cwe: 89,
    pattern: line(
      "\\.(?:query|execute|raw|\\$queryRawUnsafe|\\$executeRawUnsafe)\\(\\s*(?:`\\s*(?:SELECT|INSERT|UPDATE|DELETE)\\b[^`]*\\$\\{|[\"']\\s*(?:SELECT|INSERT|UPDATE|DELETE)\\b[^\"']*[\"']?[^\"']*[\"']\\s*\\+)",
    ),
    message: "An SQL statement is put together from values.",
    why: "A value with a quote in it changes the statement: others' data can be read, changed or deleted.",
    advice: "Write placeholders in the statement and pass the values separately.",
    bad: [
      "db.query(`SELECT * FROM users WHERE id = ${id}`);",
      'db.query("SELECT * FROM users WHERE id = " + id);',
    ],
    ok: ['db.query("SELECT * FROM users WHERE id = ?", [id]);', "db.query(`SELECT 1`);"],
  }),
  lineRule({
    id: "py/debugger",
    title: "debugger call",
    languages: ["python"],
    category: "maintainability",
    severity: "medium",
    cwe: 489,
    inTests: true,
    pattern: /^\s*(?:breakpoint\(\)|(?:i?pdb|pudb)\.set_trace\(\)|import i?pdb\b)/,
    message: "A debugger call was left in.",
    why: "It stops the process and waits for input that nobody will give.",
    advice: "Remove it.",
    bad: ["    breakpoint()", "import pdb; pdb.set_trace()"],
    ok: ["# breakpoint()", "set_breakpoint()"],
  }),
  lineRule({
    id: "py/eval",
    title: "eval of computed code",
    languages: ["python"],
    severity: "high",
    cwe: 95,
    pattern: line("(?<![\\w.])(?:eval|exec)\\(\\s*(?![\"')\\s])(?!f?b?[\"'])"),
    message: "`eval` or `exec` runs a computed string as code.",
    why: "Whoever can influence the string runs code of their own with the program's rights.",
    advice: "Use `ast.literal_eval` or `json.loads` for data, a dictionary of functions for behavior.",
    bad: ["x = eval(user_input)", "exec(request.data)"],
    ok: ['x = eval("1 + 1")', "model.eval(x)", "x = ast.literal_eval(text)"],
  }),
  lineRule({
    id: "py/shell-injection",
    title: "shell command built from values",
    languages: ["python"],
    severity: "high",
    cwe: 78,
    pattern: line(
      "\\bos\\.(?:system|popen)\\(\\s*(?:f[\"']|[\"'][^\"']*[\"']\\s*(?:\\+|%|\\.format))|\\bsubprocess\\.\\w+\\(\\s*(?:f[\"']|[\"'][^\"']*[\"']\\s*(?:\\+|%|\\.format)).*shell\\s*=\\s*True",
    ),
    message: "A shell command is put together from values.",
    why: "A value with `;`, `$(…)` or a backtick in it runs commands of its own.",
    advice: "Pass a list of arguments to `subprocess.run` without `shell=True`.",
    bad: ['os.system(f"rm {path}")', 'subprocess.run("ls " + path, shell=True)'],
    ok: ['os.system("clear")', 'subprocess.run(["ls", path])', 'subprocess.run("ls | wc", shell=True)'],
  }),
  lineRule({
    id: "py/sql-injection",
    title: "SQL built from values",
    languages: ["python"],
    severity: "critical",
    cwe: 89,
    pattern: line(
      '\\.execute(?:many)?\\(\\s*(?:f["\']{1,3}\\s*(?:SELECT|INSERT|UPDATE|DELETE)\\b[^"\']*\\{|["\']\\s*(?:SELECT|INSERT|UPDATE|DELETE)\\b[^"]*["\']\\s*(?:%\\s|\\+|\\.format))',
    ),
    message: "An SQL statement is put together from values.",
    why: "A value with a quote in it changes the statement: others' data can be read, changed or deleted.",
    advice: "Write placeholders in the statement and pass the values as the second argument.",
    bad: [
      'cur.execute(f"SELECT * FROM users WHERE id = {uid}")',
      'cur.execute("SELECT * FROM t WHERE id = %s" % uid)',
    ],
    ok: ['cur.execute("SELECT * FROM users WHERE id = %s", (uid,))'],
  }),
  lineRule({
    id: "py/tls-verify-off",
    title: "certificate checking turned off",
    languages: ["python"],
    severity: "high",
    cwe: 295,
    pattern: line(
      "\\b(?:requests|httpx|session)\\.\\w+\\(.*\\bverify\\s*=\\s*False|ssl\\._create_unverified_context",
    ),
    message: "This turns off the check of the server's certificate.",
    why: "Anyone on the network path can read and change what is sent.",
    advice: "Remove it; give the path of a private certificate authority as `verify` instead.",
    bad: ["requests.get(url, verify=False)"],
    ok: ['requests.get(url, verify="/etc/ca.pem")'],
  }),
  lineRule({
    id: "go/tls-verify-off",
    title: "certificate checking turned off",
    languages: ["go"],
    severity: "high",
    cwe: 295,
    pattern: line("InsecureSkipVerify\\s*[:=]\\s*true"),
    message: "This turns off the check of the server's certificate.",
    why: "Anyone on the network path can read and change what is sent.",
    advice: "Remove it; put a private certificate authority into `RootCAs` instead.",
    bad: ["cfg := &tls.Config{InsecureSkipVerify: true}"],
    ok: ["cfg := &tls.Config{InsecureSkipVerify: false}"],
  }),
  lineRule({
    id: "go/sql-injection",
    title: "SQL built from values",
    languages: ["go"],
    severity: "critical",
    cwe: 89,
    pattern: line(
      '\\.(?:Query|QueryRow|Exec)(?:Context)?\\((?:\\w+,\\s*)?(?:fmt\\.Sprintf\\(\\s*["`]\\s*(?:SELECT|INSERT|UPDATE|DELETE)\\b|"\\s*(?:SELECT|INSERT|UPDATE|DELETE)\\b[^"]*"\\s*\\+)',
    ),
    message: "An SQL statement is put together from values.",
    why: "A value with a quote in it changes the statement: others' data can be read, changed or deleted.",
    advice: "Write placeholders in the statement and pass the values as arguments.",
    bad: [
      'rows, err := db.Query(fmt.Sprintf("SELECT * FROM users WHERE id = %s", id))',
      'db.Exec("DELETE FROM t WHERE id = " + id)',
    ],
    ok: ['rows, err := db.Query("SELECT * FROM users WHERE id = $1", id)'],
  }),
  lineRule({
    id: "go/command-injection",
    title: "shell command built from values",
    languages: ["go"],
    severity: "high",
    cwe: 78,
    pattern: line(
      'exec\\.Command\\(\\s*"(?:/bin/)?(?:ba)?sh",\\s*"-c",\\s*(?:fmt\\.Sprintf\\(|"[^"]*"\\s*\\+|[a-zA-Z_]\\w*\\s*\\))',
    ),
    message: "A computed string is given to a shell.",
    why: "A value with `;`, `$(…)` or a backtick in it runs commands of its own.",
    advice: "Call the program with its arguments: `exec.Command(name, args...)`.",
    bad: ['exec.Command("sh", "-c", "ls "+dir)', 'exec.Command("bash", "-c", cmd)'],
    ok: ['exec.Command("ls", dir)', 'exec.Command("sh", "-c", "ls | wc -l")'],
  }),
];

export function* applyLineRules(file: SourceFile): Generator<Finding> {
  const rules = lineRules.filter(
    (rule) =>
      file.language !== null && rule.languages.includes(file.language) && (rule.inTests || !file.isTest),
  );
  if (rules.length === 0) return;
  for (const added of addedLinesOf(file)) {
    if (added.text.length > 1_000) continue;
    for (const rule of rules) if (rule.pattern.test(added.text)) yield findingAt(rule, added.line);
  }
}
