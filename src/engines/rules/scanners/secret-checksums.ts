/** The checksum that GitHub and npm build into their tokens. */

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `ghp_` or `npm_`, 30 random characters, and their CRC-32 as six base-62 digits (GitHub's blog, 2021-04-05). */
export function hasGitHubChecksum(token: string): boolean {
  const body = token.slice(token.indexOf("_") + 1);
  return body.slice(30) === toBase62(Bun.hash.crc32(body.slice(0, 30)));
}

function toBase62(value: number): string {
  let digits = "";
  for (let rest = value; digits.length < 6; rest = Math.floor(rest / 62)) {
    digits = (base62[rest % 62] ?? "") + digits;
  }
  return digits;
}
