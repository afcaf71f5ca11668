import { lookup } from "node:dns/promises";

/** As every program on this machine resolves a name, `/etc/hosts` included. */
export async function resolveName(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}
