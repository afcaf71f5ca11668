/** Internet addresses as numbers, so that one address has one form however it was written. */
import { isIP } from "node:net";

export interface IpAddress {
  family: 4 | 6;
  value: bigint;
}

export interface Network extends IpAddress {
  prefix: number;
}

/** Null when the text is no address. A zone (`fe80::1%eth0`) is left out: it names an interface, not another address. */
export function parseAddress(text: string): IpAddress | null {
  const address = text.replace(/%.*$/, "");
  const family = isIP(address);
  if (family === 4) return { family, value: parseDotted(address) };
  if (family === 6) return { family, value: parseColons(address) };
  return null;
}

/** `10.0.0.0/8`; null when the text is no network. Bits after the prefix are dropped. */
export function parseNetwork(text: string): Network | null {
  const [start = "", bits = "", ...more] = text.split("/");
  const address = parseAddress(start);
  if (address === null || more.length > 0 || !/^\d{1,3}$/.test(bits)) return null;
  const prefix = Number(bits);
  if (prefix > width(address)) return null;
  const free = BigInt(width(address) - prefix);
  return { family: address.family, value: (address.value >> free) << free, prefix };
}

export function contains(network: Network, address: IpAddress): boolean {
  if (network.family !== address.family) return false;
  const free = BigInt(width(network) - network.prefix);
  return address.value >> free === network.value >> free;
}

export function sameAddress(a: IpAddress, b: IpAddress): boolean {
  return a.family === b.family && a.value === b.value;
}

/** The 32 bits of `address` that begin at bit `first`, as an IPv4 address. */
export function embeddedIpv4(address: IpAddress, first: number): IpAddress {
  return { family: 4, value: (address.value >> BigInt(96 - first)) & 0xffff_ffffn };
}

function width(address: IpAddress): number {
  return address.family === 4 ? 32 : 128;
}

function parseDotted(text: string): bigint {
  return text.split(".").reduce((value, octet) => (value << 8n) | BigInt(Number(octet)), 0n);
}

function parseColons(text: string): bigint {
  const [left = "", right] = withoutDotted(text).split("::");
  const before = groups(left);
  const after = groups(right ?? "");
  const zeros = Array<bigint>(8 - before.length - after.length).fill(0n);
  return [...before, ...zeros, ...after].reduce((value, group) => (value << 16n) | group, 0n);
}

function groups(text: string): bigint[] {
  return text === "" ? [] : text.split(":").map((group) => BigInt(`0x${group}`));
}

/** `::ffff:10.0.0.1` → `::ffff:a00:1` */
function withoutDotted(text: string): string {
  const dotted = /\d+\.\d+\.\d+\.\d+$/.exec(text)?.[0];
  if (dotted === undefined) return text;
  const value = parseDotted(dotted);
  return `${text.slice(0, -dotted.length)}${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
}
