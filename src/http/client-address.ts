/** Who is at the other end of the connection, seen through the proxies that are trusted (X-Forwarded-For). */
import { BlockList, isIP } from "node:net";

export interface ClientAddresses {
  /** `peer` is the socket's other end. Answers an IP address; `unknown` without a socket. */
  of(peer: string | null, forwardedFor: string | null): string;
}

export function createClientAddresses(trustedProxies: readonly string[]): ClientAddresses {
  const trusted = new BlockList();
  for (const entry of trustedProxies) {
    const [address = "", prefix] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

  return {
    of(peer, forwardedFor) {
      if (peer === null) return "unknown";
      let client = plainAddress(peer);
      const hops = forwardedFor?.split(",").map((hop) => plainAddress(hop.trim())) ?? [];
      // From the nearest hop outwards: the first one that is not ours is the client, whatever it claims before that.
      while (isTrusted(client)) {
        const hop = hops.pop();
        if (hop === undefined || isIP(hop) === 0) return client;
        client = hop;
      }
      return client;
    },
  };
}

/** One subscriber has a whole IPv6 /64, so that is what counts as one address. */
export function countedAs(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = "", tail = ""] = address.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === "" ? [] : tail.split(":");
  const zeros = address.includes("::") ? Array<string>(8 - before.length - after.length).fill("0") : [];
  return `${[...before, ...zeros, ...after].slice(0, 4).join(":")}::/64`;
}

export function isLoopback(address: string): boolean {
  return address === "::1" || /^127\.\d+\.\d+\.\d+$/.test(address);
}

/** Without brackets, port, zone, and the IPv6 disguise of an IPv4 address. */
function plainAddress(text: string): string {
  const bare = text.replace(/^\[([^\]]+)\](:\d+)?$/, "$1").replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
  return bare.replace(/%.*$/, "").replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
}
