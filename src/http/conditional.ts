/** ETag and If-None-Match (RFC 9110 §8.8.3, §13.1.2), made from a version number so that unchanged rows need not be read. */

/** Weak: the same data, not the same bytes. `parts` name everything that the answer depends on. */
export function weakTag(parts: readonly (string | number)[]): string {
  return `W/"${Bun.hash(JSON.stringify(parts)).toString(36)}"`;
}

/** `*` matches nothing here: it asks whether the thing exists, which only reading it can tell. */
export function isUnchanged(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false;
  const opaque = (text: string) => text.trim().replace(/^W\//, "");
  return ifNoneMatch.split(",").some((candidate) => opaque(candidate) === opaque(tag));
}

/** The client may keep the answer, but asks about it each time. */
export function revalidated(tag: string) {
  return { etag: tag, "cache-control": "private, no-cache", vary: "Authorization" };
}
