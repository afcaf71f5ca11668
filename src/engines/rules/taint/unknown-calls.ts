/**
 * What a function does with input when its code is not in the file, by its name: a number, an answer or a stored thing
 * holds none of it; a sanitizer's result is harmless; a function that is given nothing else gives it on.
 */
import { type Call, everything } from "./calls.ts";
import { only } from "./collections.ts";
import { leftByClass } from "./formats.ts";
import { withoutCharacters } from "./guards.ts";
import type { Interpreter } from "./interpreter.ts";
import { startsFixed } from "./operators.ts";
import { harmlessWithout } from "./removed-characters.ts";
import {
  allTaints,
  asNumber,
  cleared,
  derived,
  guessed,
  keyed,
  listOf,
  named,
  unknown,
  type Value,
} from "./value.ts";

const tellers =
  /^(length|size|count|len|strlen|sizeof|index|rindex|find|rfind|indexOf|lastIndexOf|search|strpos|stripos|equals\w*|is(_\w+|[A-Z]\w*)?|has([A-Z_]\w*)?|can[A-Z]\w*|starts_?[wW]ith|ends_?[wW]ith|contains\w*|Contains|HasPrefix|HasSuffix|includes|some|every|matches|test|fullmatch|compare\w*|hash|hashCode|int|float|bool|intval|floatval|boolval|parse(Int|Float|Double|Long|Boolean)|Parse(Int|Float|Uint|Bool)|Atoi|toInt\w*|toLong|toDouble|Number|BigInt|ord|id|type|typeof|exists?|isinstance|range|strcmp|in_array|array_key_exists|random\w*|min|max|sum|round|abs)$/;

/** Its result is a number, a truth or something about the value, not the value. */
export function tellsAbout(name: string): boolean {
  return tellers.test(name);
}

/** It gives back what it found or made under the value, or nothing at all. */
const acts =
  /^_?(find|fetch|load|look_?up|query|select|search|count|exists|save|store|create|insert|update|delete|remove|register|send|publish|log|print|warn|info|debug|error|trace|fatal|check|valid|verify|auth|login|logout|sleep|wait|close|notify|assert|digest|md5|sha\d|hmac|sign|uuid|render_template|render$|jsonify|model_validate|resolve_?(user|entity)|get_\w|get_object|first_or_404|reverse|url_for|urlFor)/i;

/** `getUser(id)`: names are told from verbs by their capital. */
const gets = /^get[A-Z]/;

const cleans =
  /^(get_?)?(file_?)?ext(ension)?(_?name)?$|verify_?(file|path|name)|saniti[sz]e|escape|^esc_|clean|purif|strip_?tags|whitelist|quote|bleach|encode(For|html)|htmlspecialchars|safe_?(join|path|name|str)|secure_filename|basename|base_?name$/i;

/** The kinds of sinks that a sanitizer by that name makes input harmless to; null when it is none. */
export function sanitizedBy(name: string): readonly string[] | null {
  if (/^(encodeURI(Component)?|url_?encode|rawurlencode|quote_plus|QueryEscape|PathEscape)$/i.test(name)) {
    return ["xss", "path-traversal", "open-redirect", "ssrf", "command-injection"];
  }
  if (/unescape|unquote|decode|base64|hex/i.test(name) || !cleans.test(name)) return null;
  if (/html|xss|javascript|markup|css/i.test(name)) return ["xss"];
  if (/sql|mysql/i.test(name)) return ["sql-injection"];
  if (/ldap|filter|dn$/i.test(name)) return ["ldap-injection"];
  if (/xpath|xml/i.test(name)) return ["xpath-injection", "xss"];
  if (/shell/i.test(name)) return ["command-injection"];
  if (/file|path|base_?name|ext(ension)?(_?name)?$/i.test(name)) return ["path-traversal"];
  return ["*"];
}

const cuts = /^(substr|mb_substr|substring|slice)$/;

/** Too little for any harm: the two letters of a language. */
const harmlessLength = 3;

/** `substr($text, 0, 2)`, `text.slice(0, 2)` */
function isShort({ receiver, args }: Call): boolean {
  const [from, length] = (receiver === null ? args.slice(1) : args).map(only);
  return from === 0 && typeof length === "number" && length > 0 && length <= harmlessLength;
}

export const combines =
  /^(format|sprintf|vsprintf|Sprintf|Sprint|Sprintln|Errorf|join|Join|concat|replace\w*|Replace\w*|sub|str_replace|preg_replace|implode|merge|assign|array_merge|zip|chain|copyOf|copyOfRange|arraycopy|with\w*)$/;

/** Called like what finds or stores things, but made of what they are given. */
const makesOf = /(^|\.)(URI|Paths?|HttpRequest|RequestBody)\.(create|get)$/;

/** The values that the result is made of. */
export function passesOn(made: Call): readonly Value[] {
  const { name, receiver, args, keywords, expression } = made;
  const given = [...args, ...keywords.values()];
  const own = receiver === null ? [] : [receiver];
  if (expression.creates || combines.test(name)) return [...own, ...given];
  // A part of input is input; a method of something else that acts under a value gives something else.
  if (!makesOf.test(made.paths[0] ?? "") && (acts.test(name) || gets.test(name))) return own;
  const open = given.filter((value) => value.constants.length === 0 && !isConstantName(value));
  return open.length === 1 ? [...own, ...open] : own;
}

function isConstantName(value: Value): boolean {
  return value.taints.length === 0 && value.names.some((name) => /(^|[.?])[A-Z][A-Z0-9_]*$/.test(name));
}

const partOfRequest =
  /param|header|cookie|query_?string|query_?(var|value)|form_?(value|field|data|param)|post_?(value|data)|body/i;

/** A function that is not in this file. */
export function unknownResult(made: Call, run: Interpreter): Value {
  const { receiver, name, args, expression } = made;
  const holders = [...(receiver === null ? [] : [receiver]), ...args];
  if (holders.some((holder) => holdsRequest(holder, run))) {
    if (expression.creates || /wrap|request/i.test(name)) return named("request");
    if (partOfRequest.test(name) && !/int|bool|float|number/i.test(name)) {
      const key = only(args.findLast((arg) => typeof only(arg) === "string"));
      return run.input(
        run.model.sources.find(["request-part"]),
        expression,
        typeof key === "string" ? key : null,
      );
    }
  }
  // The same function, called otherwise: `promisify(exec)`, `exec.bind(null)`.
  if (/^(promisify|promisifyAll|bind|freeze)$/.test(name)) {
    const same = name === "bind" ? receiver : args[0];
    if (same !== null && same !== undefined) return same;
  }
  const kinds = sanitizedBy(name);
  if (kinds !== null) return kinds.includes("*") ? unknown : cleared(derived(...everything(made)), kinds);
  const [single, ...more] = args;
  // A constant in another coding is still one.
  if (single !== undefined && single.constants.length > 0 && more.length === 0 && /b64|base64/i.test(name))
    return single;
  if (cuts.test(name) && isShort(made)) return unknown;
  if (tellsAbout(name)) return asNumber(derived(...everything(made)));
  if (/^(replace|replaceAll|str_replace|ReplaceAll|sub|preg_replace|ReplaceAllString)$/.test(name)) {
    return cleared(derived(...passesOn(made)), replaced(made));
  }
  if (/^(compile|MustCompile|Compile)$/.test(name))
    return { ...unknown, map: new Map([["pattern", args[0] ?? unknown]]) };
  if (name === "append" && receiver === null && single?.list !== undefined && single.list !== null) {
    return listOf([...single.list, ...more]);
  }
  const passed = passesOn(made);
  if (passed.length === 1 && /^(asList|Arrays|list|tuple|iter|of|copyOf|array_values|stream)$/.test(name)) {
    const [single = unknown] = passed;
    if (single.list !== null && args.length === 1) return single;
    if (args.length > 1) return listOf(args);
  }
  if (/^(asList|of)$/.test(name)) return listOf(args);
  const key = only(args[0]);
  const result = isOwn(passed, made, run) ? derived(...passed) : guessed(...passed);
  const isGetter =
    args.length === 1 && typeof key === "string" && receiver !== null && allTaints(receiver).length > 0;
  if (isGetter) return keyed(result, key);
  const isPart = args.length === 0 && /^(get|is)[A-Z]/.test(name);
  return begun(made, isPart ? keyed(result, name.slice(3)) : result);
}

const makesAddress = /^(get|make|build|generate|create|to)?_?\w*(url|uri|link|route|href)(for)?$/i;
/** Puts text together. */
const puts = /^(join|implode|concat)$/;

/** What makes an address begins it itself: `token.getUrl()`, `generateUrl("user", { id })`. */
function begun({ name, receiver, args, expression }: Call, result: Value): Value {
  const holders = [...(receiver === null ? [] : [receiver]), ...args];
  const isText = holders.some((holder) => typeof only(holder) === "string" || holder.names.includes("text"));
  const names = puts.test(name) && isText ? ["text"] : [];
  const isStart =
    typeof only(args[0]) === "string" && (receiver === null || allTaints(receiver).length === 0);
  const isFixed = !expression.creates && (makesAddress.test(name) || isStart);
  return { ...(isFixed ? cleared(result, startsFixed) : result), names };
}

/** Whether it is made of what the method is called on, or is known to be made of all that it is given. */
function isOwn(
  passed: readonly Value[],
  { receiver, expression, name, paths }: Call,
  run: Interpreter,
): boolean {
  if (combines.test(name)) return true;
  const { passing } = run.model;
  if (passing !== null && passing.find(paths).length > 0) return true;
  if (expression.creates) return passing === null;
  return passed.every((value) => value === receiver && !isOnlyWithin(value));
}

/** An object's method need not give what one of its fields holds. */
function isOnlyWithin({ taints, map }: Value): boolean {
  return map !== null && taints.length === 0;
}

/** Kinds that need what was replaced. */
function replaced({ receiver, args }: Call): readonly string[] {
  const texts = args.filter((one) => typeof only(one) === "string");
  const pattern = receiver?.map?.get("pattern");
  const [first = unknown, second] = pattern === undefined ? texts : [pattern, ...texts];
  const taken = only(first);
  const isPattern = typeof taken === "string" && /^([/#~@%]).+\1[a-z]*$/s.test(taken);
  const kinds = isPattern ? harmlessWithout(taken) : withoutCharacters(taken);
  return [...kinds, ...leftByClass(first, second)];
}

function holdsRequest(value: Value, run: Interpreter): boolean {
  return value.names.includes("request") || run.model.requests.find(value.names).length > 0;
}
