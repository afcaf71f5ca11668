/** A value that was exchanged for another: protection switched off, a bound made ten times wider, a narrow catch broad. */
import { changed, type Rule } from "../rule.ts";
import { type Exchange, exchangeOf, isFalse, isTrue } from "./exchange.ts";
import { type RemovalCheck, type Removed, shown } from "./removal.ts";

const protectionOff: Rule = {
  id: "any/protection-switched-off",
  title: "security setting switched off",
  category: "security",
  severity: "high",
  cwe: 693,
  message: "`{name}` changes from `{before}` to `{after}`, which takes a protection away.",
  why: "Requests that were refused or kept private before are not any more.",
  advice: "Put it back, or limit the change to the surroundings that need it.",
  placement: "inline",
  bad: [
    changed(
      "src/http.ts",
      "const options = { contextIsolation: true };\n",
      "const options = { contextIsolation: false };\n",
    ),
    changed(
      "shop/pages.py",
      "page = render(text, autoescape=True)\n",
      "page = render(text, autoescape=False)\n",
    ),
    changed("src/application.yml", "server:\n  csrf: true\n", "server:\n  csrf: false\n"),
  ],
  ok: [
    changed(
      "src/http.ts",
      "const options = { rejectUnauthorized: false };\n",
      "const options = { rejectUnauthorized: true };\n",
    ),
    changed("shop/settings.py", "DEBUG = True\n", "DEBUG = False\n"),
    changed("src/a.ts", "const options = { visible: true };\n", "const options = { visible: false };\n"),
    changed(
      "test/http.test.ts",
      "const o = { rejectUnauthorized: true };\n",
      "const o = { rejectUnauthorized: false };\n",
    ),
  ],
};

const boundWidened: Rule = {
  id: "any/bound-widened",
  title: "timeout, retry or size limit raised tenfold",
  category: "configuration",
  severity: "low",
  cwe: 770,
  message: "`{name}` grows from {before} to {after}: is a bound that wide meant?",
  why: "Slow or greedy callers now hold on to what they use for that much longer.",
  advice: "Say in the pull request what needs it, or choose the smallest value that works.",
  placement: "summary",
  bad: [changed("src/http.ts", "const timeoutMs = 3000;\n", "const timeoutMs = 300000;\n")],
  ok: [
    changed("src/http.ts", "const timeoutMs = 3000;\n", "const timeoutMs = 5000;\n"),
    changed("src/http.ts", "const width = 10;\n", "const width = 1000;\n"),
  ],
};

const catchBroadened: Rule = {
  id: "any/catch-broadened",
  title: "narrow catch made broad",
  category: "error_handling",
  severity: "low",
  cwe: 396,
  message: "This caught `{before}` and now catches `{after}`: are all those errors to be handled alike?",
  why: "Errors of programming are now taken for the expected ones and go unseen.",
  advice: "Name the errors that this code can do something about.",
  placement: "inline",
  doubtful: true,
  bad: [
    changed(
      "shop/a.py",
      "try:\n    go()\nexcept KeyError:\n    stop()\n",
      "try:\n    go()\nexcept Exception:\n    stop()\n",
    ),
    changed(
      "src/A.java",
      "class A {\n  void a() {\n    try {\n      go();\n    } catch (IOException e) {\n      stop();\n    }\n  }\n}\n",
      "class A {\n  void a() {\n    try {\n      go();\n    } catch (Throwable e) {\n      stop();\n    }\n  }\n}\n",
    ),
  ],
  ok: [
    changed(
      "shop/a.py",
      "try:\n    go()\nexcept Exception:\n    stop()\n",
      "try:\n    go()\nexcept KeyError:\n    stop()\n",
    ),
    changed(
      "shop/a.py",
      "try:\n    go()\nexcept KeyError:\n    stop()\n",
      "try:\n    go()\nexcept ValueError:\n    stop()\n",
    ),
  ],
};

export const changedValues: RemovalCheck = {
  rules: [protectionOff, catchBroadened, boundWidened],
  find(removal) {
    const exchange = exchangeOf(removal);
    return exchange === null ? null : (switchedOff(exchange) ?? broadened(exchange) ?? widened(exchange));
  },
};

const goodWhenOn =
  /^["']?(?:verify(?:_?(?:ssl|certs?|peer|host|hostname|signature))?|check_?hostname|ssl_?verify\w*|strict_?ssl|tls_?verify|reject_?unauthorized|secure|http_?only|csrf(?:_\w+|protection|enabled)?|same_?site|sandbox|auto_?escape\w*|escape|encrypt(?:ed|ion)?|storage_encrypted|deletion_protection|read_only_root_filesystem|run_as_non_root|SESSION_COOKIE_SECURE|CSRF_COOKIE_SECURE|SECURE_SSL_REDIRECT|contextIsolation|webSecurity)["']?$/i;
const badWhenOn =
  /^["']?(?:debug|insecure(?:_?skip_?verify)?|skip_?(?:ssl|tls|cert)?_?(?:verify|validation)|allow_?(?:insecure|unsafe|http|any_?origin)\w*|trust_?all\w*|publicly_accessible|allow_?privilege_?escalation|privileged|node_?integration|disable_?(?:auth|csrf|ssl|tls)\w*|permitRootLogin|CORS_ALLOW_ALL_ORIGINS)["']?$/i;

function switchedOff({ lead, before, after, line }: Exchange): Removed | null {
  const name = lead.at(-2)?.text ?? "";
  if (!/^(?:=|:|=>|:=)$/.test(lead.at(-1)?.text ?? "")) return null;
  const off = isTrue(before) && isFalse(after) && goodWhenOn.test(name);
  const on = isFalse(before) && isTrue(after) && badWhenOn.test(name);
  if (!off && !on) return null;
  return { rule: protectionOff, oldLine: line, values: { name, before, after }, movedWith: [] };
}

function widened({ lead, before, after, line }: Exchange): Removed | null {
  const [old, now] = [before, after].map((text) => Number(text.replace(/_|[LlFfDd]$/g, "")));
  const named = lead.findLast(({ text }) => /timeout|retr(?:y|ies)|limit|max/i.test(text));
  if (named === undefined || old === undefined || now === undefined) return null;
  if (!(old > 0 && now >= old * 10)) return null;
  return {
    rule: boundWidened,
    oldLine: line,
    values: { name: shown(named.text), before, after },
    movedWith: [],
  };
}

function broadened({ lead, before, after, line }: Exchange): Removed | null {
  if (!lead.some(({ text }) => /^(?:catch|except|rescue)$/.test(text))) return null;
  if (!/^(?:Exception|Throwable|BaseException|StandardError|RuntimeException)$/.test(after)) return null;
  if (!/(?:Exception|Error|Interrupt)$/.test(before) || isBroad(before)) return null;
  return { rule: catchBroadened, oldLine: line, values: { before, after }, movedWith: [] };
}

function isBroad(name: string): boolean {
  return /^(?:Exception|Throwable|BaseException)$/.test(name);
}
