/** Where webhooks may go beside the public Internet, as an owner allowed it with `plumbline endpoint allow`. */
import { AppError } from "../domain/errors.ts";
import type { Store } from "../domain/store.ts";
import { forbiddenReason } from "./address-class.ts";
import { contains, type IpAddress, parseAddress, parseNetwork } from "./ip-address.ts";

const setting = "outbound.allowed_targets";

/** The entries as they were given, in the order they were. */
export async function listAllowedTargets(store: Store): Promise<readonly string[]> {
  const value = await store.settings.get(setting);
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

/**
 * `entry` is a network (`10.0.0.0/8`), a host (`ci.corp`, `10.1.2.3`, `[fd00::1]`), or a host and port (`ci.corp:8443`).
 * Allowing what is allowed already changes nothing. Answers the list as it is then. Errors: AppError `validation_failed`.
 */
export async function allowTarget(store: Store, entry: string): Promise<readonly string[]> {
  const { text } = parseEntry(entry);
  return store.transaction(async (tx) => {
    const before = await listAllowedTargets(tx);
    if (before.includes(text)) return before;
    const after = [...before, text];
    await tx.settings.put(setting, after);
    return after;
  });
}

/** Takes an entry back; AppError `not_found` when there is none like it. */
export async function disallowTarget(store: Store, entry: string): Promise<readonly string[]> {
  const { text } = parseEntry(entry);
  return store.transaction(async (tx) => {
    const before = await listAllowedTargets(tx);
    if (!before.includes(text)) throw new AppError("not_found", `${text} is not on the list.`);
    const after = before.filter((other) => other !== text);
    await tx.settings.put(setting, after);
    return after;
  });
}

/** Whether an entry names the host as the URL writes it. Its addresses may then be private ones. */
export function allowsHost(entries: readonly string[], url: URL): boolean {
  return entries.some((entry) => {
    const { host, port } = parseEntry(entry);
    return host === plainHost(url) && (port === null || port === portOf(url));
  });
}

/** Whether an entry is a network that the address is in. */
export function allowsAddress(entries: readonly string[], address: IpAddress): boolean {
  return entries.some((entry) => {
    const network = parseNetwork(entry);
    return network !== null && contains(network, address);
  });
}

export function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

/** The host of a URL without IPv6 brackets and without the root's trailing dot. */
export function plainHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

interface Entry {
  /** In the one form in which it is stored. */
  text: string;
  /** Null for a network. */
  host: string | null;
  port: number | null;
}

function parseEntry(entry: string): Entry {
  const given = entry.trim();
  if (given.includes("/")) return parseNetworkEntry(given);
  // A bare IPv6 address would be taken for a host and a port.
  const authority = parseAddress(given)?.family === 6 ? `[${given}]` : given;
  const url = URL.canParse(`http://${authority}`) ? new URL(`http://${authority}`) : null;
  if (url === null || !/^[^/?#@\\\s*]+$/.test(authority)) throw unusable(given);
  const host = plainHost(url);
  const address = parseAddress(host);
  const reason = address === null ? null : forbiddenReason(address);
  if (reason !== null) throw refused("forbidden", `${given} is ${reason}: it cannot be allowed.`);
  // `new URL` drops the scheme's own port, which is an answer here like any other.
  const port = /:(\d+)$/.exec(authority.replace(/^\[.*\]/, ""))?.[1];
  const bracketed = host.includes(":") ? `[${host}]` : host;
  return {
    text: port === undefined ? bracketed : `${bracketed}:${Number(port)}`,
    host,
    port: port === undefined ? null : Number(port),
  };
}

function parseNetworkEntry(text: string): Entry {
  const network = parseNetwork(text);
  if (network === null) throw unusable(text);
  const start = forbiddenReason(network);
  if (start !== null) throw refused("forbidden", `${text} begins with ${start}: it cannot be allowed.`);
  return { text, host: null, port: null };
}

function unusable(text: string): AppError {
  return refused(
    "malformed",
    `“${text}” is no network (10.0.0.0/8), no host (ci.corp) and no host with a port (ci.corp:8443).`,
  );
}

function refused(code: string, message: string): AppError {
  return new AppError("validation_failed", message, { fields: [{ path: "/target", code, message }] });
}
