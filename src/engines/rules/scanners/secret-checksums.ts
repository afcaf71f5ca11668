/** What issuers build into their tokens: the checksum of GitHub and npm, the user's number of Discord. */

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `ghp_` or `npm_`, 30 random characters, and their checksum (GitHub's blog, 2021-04-05). */
export function hasGitHubChecksum(token: string): boolean {
  const body = token.slice(token.indexOf("_") + 1);
  return body.slice(30) === gitHubChecksum(body.slice(0, 30));
}

/** The CRC-32 as six base-62 digits. */
export function gitHubChecksum(random: string): string {
  return toBase62(Bun.hash.crc32(random));
}

function toBase62(value: number): string {
  let digits = "";
  for (let rest = value; digits.length < 6; rest = Math.floor(rest / 62)) {
    digits = (base62[rest % 62] ?? "") + digits;
  }
  return digits;
}

/** The first of a bot token's three parts is the bot's user id, 17 to 20 digits, in Base64 (Discord's API reference). */
export function namesDiscordUser(token: string): boolean {
  const id = Buffer.from(token.slice(0, token.indexOf(".")), "base64url").toString("latin1");
  return /^\d{17,20}$/.test(id);
}
