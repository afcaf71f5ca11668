/**
 * What a function does with input when its code is not in the file, by its name: a number, an answer or a stored thing
 * holds none of it; a sanitizer's result is harmless; a function that is given nothing else gives it on.
 */
import type { Call } from "./calls.ts";
import type { Value } from "./value.ts";

const tellers =
  /^(length|size|count|len|strlen|sizeof|index|rindex|find|rfind|indexOf|lastIndexOf|search|strpos|stripos|equals\w*|is(_\w+|[A-Z]\w*)?|has([A-Z_]\w*)?|can[A-Z]\w*|starts_?[wW]ith|ends_?[wW]ith|contains\w*|Contains|HasPrefix|HasSuffix|includes|some|every|matches|test|fullmatch|compare\w*|hash|hashCode|int|float|bool|intval|floatval|boolval|parse(Int|Float|Double|Long|Boolean)|Parse(Int|Float|Uint|Bool)|Atoi|toInt\w*|toLong|toDouble|Number|BigInt|ord|id|type|exists?|isinstance|range|strcmp|in_array|array_key_exists|random\w*|min|max|sum|round|abs)$/;

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
  /saniti[sz]e|escape|^esc_|clean|purif|strip_?tags|whitelist|quote|bleach|encode(For|html)|htmlspecialchars|safe_?(join|path|name|str)|secure_filename|basename|base_?name$/i;

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
  if (/file|path|base_?name/i.test(name)) return ["path-traversal"];
  return ["*"];
}

export const combines =
  /^(format|sprintf|vsprintf|Sprintf|Sprint|Sprintln|Errorf|join|Join|concat|replace\w*|Replace\w*|sub|str_replace|preg_replace|implode|merge|assign|array_merge|zip|chain|copyOf|copyOfRange|arraycopy|with\w*)$/;

/** The values that the result is made of. */
export function passesOn(made: Call): readonly Value[] {
  const { name, receiver, args, keywords, expression } = made;
  const given = [...args, ...keywords.values()];
  const own = receiver === null ? [] : [receiver];
  if (expression.creates || combines.test(name)) return [...own, ...given];
  // A part of input is input; a method of something else that acts under a value gives something else.
  if (acts.test(name) || gets.test(name)) return own;
  const open = given.filter((value) => value.constants.length === 0 && !isConstantName(value));
  return open.length === 1 ? [...own, ...open] : own;
}

function isConstantName(value: Value): boolean {
  return value.taints.length === 0 && value.names.some((name) => /(^|[.?])[A-Z][A-Z0-9_]*$/.test(name));
}
