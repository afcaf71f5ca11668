/**
 * Which addresses are the public Internet's, and which no webhook may reach whoever asks (IANA's special-purpose address
 * registries; the metadata services of the clouds).
 */
import { contains, embeddedIpv4, type IpAddress, type Network, parseNetwork } from "./ip-address.ts";

/** Why an address is refused even to the owner; null when it is not. Every form the address stands for is judged. */
export function forbiddenReason(address: IpAddress): string | null {
  for (const form of forms(address)) {
    const found = forbidden.find(({ networks }) => networks.some((network) => contains(network, form)));
    if (found !== undefined) return found.reason;
  }
  return null;
}

/** Reachable by anybody on the Internet, in every form the address stands for. */
export function isPublic(address: IpAddress): boolean {
  return forms(address).every((form) =>
    form.family === 4
      ? !notPublic4.some((network) => contains(network, form))
      : isTransparent(form) ||
        (globalUnicast.some((network) => contains(network, form)) &&
          !notPublic6.some((network) => contains(network, form))),
  );
}

/** The address itself, and the IPv4 addresses that it carries for a translator or a tunnel. */
export function forms(address: IpAddress): readonly IpAddress[] {
  if (address.family === 4) return [address];
  const carried = carriers
    .filter(({ network }) => contains(network, address))
    .map(({ firstBit }) => embeddedIpv4(address, firstBit));
  return [address, ...carried, ...teredoClient(address), ...compatible(address), ...isatap(address)];
}

/** An IPv6 spelling of an IPv4 destination: as public as what it carries. */
function isTransparent(address: IpAddress): boolean {
  return transparent.some((network) => contains(network, address));
}

/** Teredo (RFC 4380) carries the client with its bits flipped. */
function teredoClient(address: IpAddress): IpAddress[] {
  if (!teredo.some((network) => contains(network, address))) return [];
  return [{ family: 4, value: embeddedIpv4(address, 96).value ^ 0xffff_ffffn }];
}

/** IPv4-compatible, `::10.0.0.1` (RFC 4291); `::` and `::1` are themselves. */
function compatible(address: IpAddress): IpAddress[] {
  return address.value >> 32n === 0n && address.value > 1n ? [embeddedIpv4(address, 96)] : [];
}

/** ISATAP, an interface id of `[02]00:5efe:` and the IPv4 address (RFC 5214). */
function isatap(address: IpAddress): IpAddress[] {
  const mark = (address.value >> 32n) & 0xffff_ffffn;
  return mark === 0x0000_5efen || mark === 0x0200_5efen ? [embeddedIpv4(address, 96)] : [];
}

function networks(...texts: string[]): Network[] {
  return texts.map((text) => {
    const network = parseNetwork(text);
    if (network === null) throw new TypeError(`${text} is no network`);
    return network;
  });
}

const forbidden: readonly { networks: readonly Network[]; reason: string }[] = [
  { reason: "an unspecified address", networks: networks("0.0.0.0/8", "::/128") },
  { reason: "a link-local address", networks: networks("169.254.0.0/16", "fe80::/10") },
  { reason: "a multicast address", networks: networks("224.0.0.0/4", "ff00::/8") },
  { reason: "the broadcast address", networks: networks("255.255.255.255/32") },
  {
    reason: "a cloud's metadata service",
    networks: networks(
      "100.100.100.200/32", // Alibaba
      "168.63.129.16/32", // Azure
      "192.0.0.192/32", // Oracle
      "fd00:ec2::254/128", // Amazon
      "fd20:ce::254/128", // Google
    ),
  },
];

const transparent = networks(
  "::ffff:0:0/96", // IPv4-mapped (RFC 4291)
  "64:ff9b::/96", // NAT64 (RFC 6052)
);

const teredo = networks("2001::/32");

const carriers: readonly { network: Network; firstBit: number }[] = [
  ...networks("::ffff:0:0/96", "64:ff9b::/96").map((network) => ({ network, firstBit: 96 })),
  // IPv4-translated (RFC 2765), and NAT64 with a prefix of the site's own (RFC 8215).
  ...networks("::ffff:0:0:0/96", "64:ff9b:1::/48").map((network) => ({ network, firstBit: 96 })),
  // 6to4 (RFC 3056).
  ...networks("2002::/16").map((network) => ({ network, firstBit: 16 })),
  // The Teredo server.
  ...teredo.map((network) => ({ network, firstBit: 32 })),
];

const notPublic4 = networks(
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10", // carriers' NAT
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24", // documentation
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16",
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4",
  "240.0.0.0/4", // reserved, broadcast
);

const globalUnicast = networks("2000::/3");

const notPublic6 = networks(
  "2001::/23", // protocols' own: Teredo, ORCHID, benchmarks
  "2001:db8::/32", // documentation
  "3fff::/20", // documentation
);
