/**
 * Decides where a webhook may connect, so that nobody can make the service reach what only the service can reach (CWE-918).
 * The name is resolved once, every address it has must pass, and the connection goes to an address that was checked: a
 * name that answers differently the second time gains nothing.
 */
import { networkInterfaces } from "node:os";
import { forbiddenReason, forms, isPublic } from "./address-class.ts";
import { allowsAddress, allowsHost, plainHost, portOf } from "./allowed-targets.ts";
import { type IpAddress, parseAddress, sameAddress } from "./ip-address.ts";

/** All addresses of a name, as text; throws when it has none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** Where we listen ourselves. A host of `0.0.0.0` or `::` is every address of this machine. */
export interface OwnListener {
  host: string;
  port: number;
}

export interface AddressPolicy {
  resolve: Resolve;
  /** Asked at every check: the port may be known only once the server listens. */
  ownListeners: () => readonly OwnListener[];
}

export interface TargetRequest {
  url: string;
  /** The owner set this very host and port: they may be private, loopback and plain http. */
  setByOwner: boolean;
  /** What `plumbline endpoint allow` was given; asked only for a target that is not public and https. */
  allowedTargets: () => Promise<readonly string[]>;
}

/** A target that passed, with the addresses that were checked, in the order the resolver gave them. */
export interface CheckedTarget {
  url: URL;
  addresses: readonly string[];
}

/** The target is none we may connect to; the message says why and what an owner can do. */
export class BlockedAddress extends Error {
  constructor(message: string) {
    super(message);
    this.name = "BlockedAddress";
  }
}

/** The name has no address that we could learn. */
export class NameNotResolved extends Error {
  constructor(hostname: string, options?: { cause: unknown }) {
    super(`The name ${hostname} does not resolve.`, options);
    this.name = "NameNotResolved";
  }
}

/** Errors: `BlockedAddress`, `NameNotResolved`. Whatever cannot be judged is refused. */
export async function checkTarget(request: TargetRequest, policy: AddressPolicy): Promise<CheckedTarget> {
  const url = parseTarget(request.url);
  const found = await addressesOf(url, policy.resolve);
  for (const { text, address } of found) {
    const reason = forbiddenReason(address) ?? ownListenerReason(address, portOf(url), policy.ownListeners());
    if (reason !== null) throw new BlockedAddress(`${describe(url, text)} is ${reason}.`);
  }
  const exposed = found.find(({ address }) => !isPublic(address));
  const harmless = exposed === undefined && url.protocol === "https:";
  if (!harmless && !request.setByOwner) refuseUnlessAllowed(url, found, await request.allowedTargets());
  return { url, addresses: found.map(({ text }) => text) };
}

/**
 * For a target whose name has no address now: what is certain already. Errors: `BlockedAddress` for plain http to a host that
 * nobody with the right to has named; a network that was allowed cannot speak for an address that is not known.
 */
export async function checkUnresolved(request: TargetRequest): Promise<void> {
  const url = parseTarget(request.url);
  if (url.protocol === "https:" || request.setByOwner) return;
  if (!allowsHost(await request.allowedTargets(), url)) throw notHttps(url);
}

interface FoundAddress {
  text: string;
  address: IpAddress;
}

function parseTarget(text: string): URL {
  if (!URL.canParse(text)) throw new BlockedAddress("The address is no URL.");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new BlockedAddress("The address is neither https nor http.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new BlockedAddress("The address contains a user name or password.");
  }
  return url;
}

/** `URL` has already turned decimal, octal, hexadecimal and full-width spellings of an address into the usual one. */
async function addressesOf(url: URL, resolve: Resolve): Promise<readonly FoundAddress[]> {
  const host = plainHost(url);
  const literal = parseAddress(host);
  if (literal !== null) return [{ text: host, address: literal }];
  return (await resolved(host, resolve)).map((text) => {
    const address = parseAddress(text);
    if (address === null) throw new BlockedAddress(`${host} has an address that cannot be read.`);
    return { text, address };
  });
}

async function resolved(host: string, resolve: Resolve): Promise<readonly string[]> {
  let addresses: readonly string[];
  try {
    addresses = await resolve(host);
  } catch (cause) {
    throw new NameNotResolved(host, { cause });
  }
  if (addresses.length === 0) throw new NameNotResolved(host);
  return addresses;
}

function refuseUnlessAllowed(url: URL, found: readonly FoundAddress[], entries: readonly string[]): void {
  if (allowsHost(entries, url)) return;
  const outside = found.filter(({ address }) => !allowsAddress(entries, address));
  if (outside.length === 0) return;
  const exposed = outside.find(({ address }) => !isPublic(address));
  if (exposed !== undefined) {
    throw new BlockedAddress(`${describe(url, exposed.text)} is not public; ${remedy(url)}.`);
  }
  if (url.protocol !== "https:") throw notHttps(url);
}

function notHttps(url: URL): BlockedAddress {
  return new BlockedAddress(`The address is not https; ${remedy(url)}.`);
}

function remedy(url: URL): string {
  return `an owner can allow it: plumbline endpoint allow ${url.hostname}:${portOf(url)}`;
}

function ownListenerReason(
  address: IpAddress,
  port: number,
  listeners: readonly OwnListener[],
): string | null {
  const ours = listeners.some(
    (listener) => listener.port === port && forms(address).some((form) => isListener(form, listener)),
  );
  return ours ? "the address that Plumbline itself listens on" : null;
}

function isListener(address: IpAddress, listener: OwnListener): boolean {
  const host = parseAddress(listener.host);
  if (host === null || host.value === 0n) return isThisMachine(address);
  return forms(host).some((form) => sameAddress(form, address));
}

function isThisMachine(address: IpAddress): boolean {
  if (address.family === 4 && address.value >> 24n === 127n) return true;
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return own.some((entry) => {
    const local = parseAddress(entry.address);
    return local !== null && sameAddress(local, address);
  });
}

/** `ci.corp (10.0.0.7)`, or the address alone where it was given as one. */
function describe(url: URL, address: string): string {
  const host = plainHost(url);
  return host === address ? address : `${host} (${address})`;
}
