/** What was said about a thing before it is used: `response.setContentType("text/plain")`; sinks may ask for it. */
import type { Call } from "./calls.ts";
import { only } from "./collections.ts";
import type { Environment } from "./environment.ts";
import { store } from "./receivers.ts";
import { constant, unknown, type Value } from "./value.ts";

const setting = /^(set(ContentType|Feature|Attribute|Property|_?header|Header)|type|contentType)$/;
/** They set many things; the kind of content is the one that sinks ask for. */
const header = /^(set|header|append)$/;

/** The receiver with the setting; null when the call sets nothing. */
export function keepSetting(made: Call, environment: Environment): Value | null {
  const { receiver, name, args } = made;
  const [first = unknown, second] = args;
  if (receiver === null) return null;
  const isHeader = header.test(name) && /^content-type$/i.test(String(only(first)));
  const given = name === "writeHead" ? args.at(-1)?.map : null;
  if (!setting.test(name) && !isHeader && !given) return null;
  const key = second === undefined ? "contentType" : (only(first) ?? first.names[0]);
  if (key === undefined) return null;
  const entries: [string, Value][] = given ? [...given] : [[String(key), second ?? first]];
  const withSettings = (known: Value): Value => {
    const map = new Map(known.map ?? []);
    for (const [entry, value] of entries) map.set(entry, { ...value, taints: [] });
    return { ...known, map };
  };
  store(made, environment, withSettings);
  return withSettings(receiver);
}

/** Where the kind of the page is kept that `header("Content-Type: …")` names. */
const pagePlace = "header()";
const contentType = /^content-type:\s*(?<type>[^;]+)/i;

export function pageType(environment: Environment): Value | null {
  return environment.get(pagePlace) ?? null;
}

/** PHP writes to one page and says of it beforehand what it is. */
export function keepPageType(made: Call, environment: Environment): void {
  if (made.name !== "header" || made.receiver !== null) return;
  const type = contentType.exec(String(only(made.args[0])))?.groups?.type;
  if (type !== undefined) environment.set(pagePlace, constant(type));
}
