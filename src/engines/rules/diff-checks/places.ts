/** Places in the repository, as a message names them. */

const namedMax = 3;

/** `a.py:7`, `b.py:3` and `c.py:9`; "and 4 more" where there are more. */
export function placesText(places: readonly { path: string; line: number }[]): string {
  const named = [...new Set(places.map(({ path, line }) => `\`${path.replaceAll("`", "'")}:${line}\``))];
  if (named.length <= namedMax) return joined(named);
  return `${named.slice(0, namedMax).join(", ")} and ${named.length - namedMax} more`;
}

function joined(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? "") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
