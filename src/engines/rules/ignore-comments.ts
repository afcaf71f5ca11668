/** `plumbline-ignore: <rule> <reason>` in a code comment, on the finding's line or alone on the line above it. */

export interface IgnoreComments {
  /** Whether a comment with a reason silences `rule` on `line`. */
  covers(rule: string, line: number): boolean;
}

const ignoreComment =
  /(?:\/\/|#|\/\*|--|<!--|;|%)\s*plumbline-ignore:\s*(?<rule>[\w-]+\/[\w-]+)\s+(?<reason>\S.*)/;

export function ignoreComments(lines: readonly string[]): IgnoreComments {
  const silenced = new Set<string>();
  for (const [index, text] of lines.entries()) {
    const comment = text.includes("plumbline-ignore:") ? ignoreComment.exec(text) : null;
    if (comment === null) continue;
    const standsAlone = text.slice(0, comment.index).trim() === "";
    silenced.add(`${comment.groups?.rule}@${standsAlone ? index + 2 : index + 1}`);
  }
  return { covers: (rule, line) => silenced.has(`${rule}@${line}`) };
}
