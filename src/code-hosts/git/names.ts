/** File names are bytes to git and text to everyone else. */

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** UTF-8 as it is; a byte that is none becomes `\xHH`. */
export function displayName(bytes: Uint8Array): string {
  return decoded(bytes) ?? escaped(bytes);
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function escaped(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes[at] ?? 0);
    const character = decoded(bytes.subarray(at, at + length));
    text += character ?? `\\x${(bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, "0")}`;
    at += character === null ? 1 : length;
  }
  return text;
}

/** Bytes of the UTF-8 sequence that starts with `lead` (RFC 3629); 1 where none can. */
function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}
