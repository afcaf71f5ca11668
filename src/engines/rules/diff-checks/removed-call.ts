/** Calls that kept something safe and went while the code around them stays. */
import type { Category, Severity } from "../../../domain/comment.ts";
import { changed, type Example, type Rule } from "../rule.ts";
import { type Removal, type RemovalCheck, type Removed, shown } from "./removal.ts";
import { isWord, type Token, textOf } from "./tokens.ts";

interface Kind {
  rule: Rule;
  /** The name of what is called, or the annotation. */
  name: RegExp;
  /** Among the hunk's added lines: the same is done in another way. */
  replacedBy: RegExp;
}

export const removedCalls: RemovalCheck = {
  get rules() {
    return kinds.map(({ rule }) => rule);
  },
  find,
};

/** More new words around it: a rewrite, in which the call may live on in another form. */
const insertedInHunkMax = 12;

function find({ deleted, insertedInBlock, insertedInHunk, addedText }: Removal): Removed | null {
  if (insertedInBlock > 0 || insertedInHunk > insertedInHunkMax || isDefinition(deleted)) return null;
  for (const [index, token] of deleted.entries()) {
    const kind = kinds.find(({ name }) => name.test(token.text));
    if (kind === undefined || kind.replacedBy.test(addedText) || !isUsed(deleted, index)) continue;
    const statement = deleted.filter(({ line }) => line === token.line);
    const values = { call: shown(textOf(statement).replace(/ ;$/, "")) };
    return { rule: kind.rule, oldLine: token.line, values, movedWith: [token] };
  }
  return null;
}

/** Called, or used as an annotation, a middleware or a symbol: `@Secured`, `before_action :require_login`. */
function isUsed(deleted: readonly Token[], index: number): boolean {
  const [previous, token, next] = [deleted[index - 1], deleted[index], deleted[index + 1]];
  if (token === undefined || previous?.text === "import" || isImport(deleted, token)) return false;
  if (token.text.startsWith("@") || previous?.text === "[" || previous?.text === ":") return true;
  return (
    token.text === "synchronized" ||
    next?.text === "(" ||
    next?.text === "!" ||
    statementStart(deleted, index)
  );
}

function isImport(deleted: readonly Token[], token: Token): boolean {
  return deleted.some(
    ({ text, line }) => line === token.line && /^(?:import|from|require|use|using|include)$/.test(text),
  );
}

/** Ruby calls without brackets; `synchronized` and `lock` have a block. */
function statementStart(deleted: readonly Token[], index: number): boolean {
  const [previous, token, next] = [deleted[index - 1], deleted[index], deleted[index + 1]];
  return previous?.line !== token?.line && next !== undefined && next.line === token?.line && isWord(next);
}

function isDefinition(deleted: readonly Token[]): boolean {
  return deleted.some(({ text }) => /^(?:def|function|func|fn|fun|class|interface|struct|=>)$/.test(text));
}

function rule(
  fields: Pick<Rule, "id" | "title" | "message" | "why" | "advice" | "cwe" | "bad" | "ok"> & {
    category: Category;
    severity: Severity;
  },
): Rule {
  return { ...fields, placement: "inline", doubtful: fields.severity !== "high" };
}

function js(...lines: readonly string[]): string {
  return `function save(input) {\n${lines.map((line) => `  ${line}\n`).join("")}}\n`;
}

function without(line: string): Example {
  return changed(
    "src/save.js",
    js("const x = input.x;", line, "store(x);"),
    js("const x = input.x;", "store(x);"),
  );
}

const authorization: Kind = {
  name: /^@?(?:login_required|permission_required|permission_classes|user_passes_test|require_login|requires?_(?:auth\w*|admin|permission|role|user)|authenticate(?:_user!?|d|User|Request)?|authorize(?:_\w+!?|!|d|User|Request|Roles?)?|authorize_resource|load_and_authorize_resource|verify_authorized|is_?authenticated|isAuthorized|check_?(?:permissions?|access|auth\w*)|checkPermissions?|checkAccess|assert(?:Permission|Access|Authorized|CanAccess|IsAdmin)|ensure(?:Logged_?In|Authenticated|Authorized|Admin|Permission)|require(?:Auth|Authentication|Login|Admin|Role|Permission|User)|PreAuthorize|PostAuthorize|Secured|RolesAllowed|Authorize|denyAccessUnlessGranted|UseGuards)$/i,
  replacedBy: /auth|permission|login|access|secured|roles|guard|allow|admin/i,
  rule: rule({
    id: "any/authorization-removed",
    title: "authorization check removed",
    category: "security",
    severity: "high",
    cwe: 862,
    message: "`{call}` went, and nothing here asks who may do this any more.",
    why: "What it protected can now be reached by people whom it kept out.",
    advice: "Restore the check, or say in the pull request what protects this code in its place.",
    bad: [
      changed(
        "shop/views.py",
        "@login_required\ndef orders(request):\n    return render(request)\n",
        "def orders(request):\n    return render(request)\n",
      ),
      without("requireAdmin(input.user);"),
      changed(
        "app/controllers/orders_controller.rb",
        "class OrdersController\n  before_action :require_login\n\n  def index\n  end\nend\n",
        "class OrdersController\n\n  def index\n  end\nend\n",
      ),
    ],
    ok: [
      changed(
        "shop/views.py",
        "@login_required\ndef orders(request):\n    return render(request)\n",
        '@permission_required("orders")\ndef orders(request):\n    return render(request)\n',
      ),
      changed("shop/views.py", "from django import login_required\na()\n", "a()\n"),
    ],
  }),
};

const validation: Kind = {
  name: /^(?:validate\w*|sanitize\w*|sanitise\w*|escape(?:Html|HTML|_html|Sql|Regex\w*)?|escapeshellarg|htmlspecialchars|verify(?:Signature|Token|Csrf|_signature|_token|_csrf_token|_password|Password|Hmac)?|timingSafeEqual|checksum\w*|is_safe_\w+|secure_filename|verify_signature|assertValid\w*|checkArgument|checkNotNull|requireNonNull|validate!)$/,
  replacedBy: /valid|sanit|escape|verif|safe|check|require|assert|schema|parse/i,
  rule: rule({
    id: "any/validation-removed",
    title: "validation or sanitizing removed",
    category: "security",
    severity: "medium",
    cwe: 20,
    message: "`{call}` went: who checks this value now, before it is used?",
    why: "Values that it refused or cleaned now reach the code after it as they came.",
    advice: "Restore the call, or say in the pull request where the value is checked.",
    bad: [
      without("validateOrder(input);"),
      changed("src/page.js", js("show(escapeHtml(input.name));"), js("show(input.name);")),
    ],
    ok: [
      changed("src/page.js", js("validate(input);", "go(input);"), js("go(orderSchema.parse(input));")),
      changed("src/page.js", js("validate(input);", "go(input);"), js("stop();")),
    ],
  }),
};

const locking: Kind = {
  name: /^@?(?:synchronized|Synchronized|Transactional|lock|Lock|RLock|acquire|lock_guard|unique_lock|scoped_lock|synchronize|with_lock|withLock|runExclusive|transaction|atomic|beginTransaction|select_for_update|lockForUpdate)$/,
  replacedBy: /lock|synchron|atomic|transaction|mutex|concurrent|exclusive|acquire/i,
  rule: rule({
    id: "any/lock-removed",
    title: "lock or transaction removed",
    category: "concurrency",
    severity: "medium",
    cwe: 362,
    message: "`{call}` went, but what it stood around is still here: can it no longer run twice at once?",
    why: "When it can, two runs see each other's half-done work.",
    advice: "Restore it, or say in the pull request what keeps the runs apart.",
    bad: [
      changed(
        "cart.go",
        "package cart\n\nfunc (c *Cart) Add(n int) {\n\tc.mu.Lock()\n\tc.total += n\n}\n",
        "package cart\n\nfunc (c *Cart) Add(n int) {\n\tc.total += n\n}\n",
      ),
      changed(
        "src/Cart.java",
        "class Cart {\n  synchronized void add(int n) {\n    total += n;\n  }\n}\n",
        "class Cart {\n  void add(int n) {\n    total += n;\n  }\n}\n",
      ),
    ],
    ok: [
      changed(
        "src/Cart.java",
        "class Cart {\n  synchronized void add(int n) {\n    total += n;\n  }\n}\n",
        "class Cart {\n  void add(int n) {\n    total.addAndGet(atomic(n));\n  }\n}\n",
      ),
    ],
  }),
};

const closing: Kind = {
  name: /^(?:close|Close|dispose|Dispose|unlock|Unlock|RUnlock|release|Release|fclose|closeQuietly|removeEventListener|removeListener|clearInterval|clearTimeout|unsubscribe|disconnect)$/,
  replacedBy:
    /close|dispose|unlock|release|using|with|defer|try|finally|remove|clear|unsubscribe|disconnect|abort/i,
  rule: rule({
    id: "any/release-removed",
    title: "release of a resource removed",
    category: "bug",
    severity: "medium",
    cwe: 772,
    message: "`{call}` went: who gives this back now?",
    why: "What is never given back adds up until there is no more of it.",
    advice: "Restore the call, or say in the pull request what releases it.",
    bad: [without("input.file.close();")],
    ok: [changed("src/a.js", js("file.close();", "a();"), js("using(file);", "a();"))],
  }),
};

/** The gravest first. */
const kinds: readonly Kind[] = [authorization, validation, locking, closing];
