/** Tells made-up values from real ones: nobody needs to hear that `xxxx-your-token-here` is in the README. */

const inventedPart =
  /example|sample|dummy|fake|placeholder|change_?-?me|replace|redacted|your[_-]|insert|todo|foobar|12345|abcde|qwert|asdf|deadbeef|cafebabe|hunter2|lorem|super_?secret|\*{3}|\.{3}|x{4}|0{6}/i;
/** Keys that a vendor publishes for its emulator: they open nothing (Azurite, Cosmos DB). */
const published = /^(?:Eby8vdM02xNOcqFlqUwJPLl|C2y6yDjf5\/R\+ob0N8A7Cgv)/;
/** Made of nothing but such words, digits and punctuation. */
const inventedWhole =
  /^(?:(?:password|passwd|passw0rd|pass|secret|default|test|demo|token|key|admin|root|user|my|the|api)[\W_\d]*)+$/i;

/** Bits per character below which a long value is a pattern rather than random. */
const entropyMin = 2.6;

export function looksInvented(value: string): boolean {
  return (
    inventedPart.test(value) ||
    published.test(value) ||
    inventedWhole.test(value) ||
    entropy(value) < Math.min(entropyMin, Math.log2(value.length) * 0.8)
  );
}

/** Shannon entropy in bits per character. */
function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
