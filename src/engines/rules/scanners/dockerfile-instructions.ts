/** A Dockerfile as stages and instructions, continuation lines and here-documents joined. */

export interface Instruction {
  /** In capitals: `RUN`. */
  keyword: string;
  /** What follows the keyword, on one line but for here-documents; without comments. */
  text: string;
  line: number;
  /** The line of the file on which the character at `offset` of `text` stands. */
  lineAt(offset: number): number;
}

export interface Stage {
  from: Instruction;
  image: string;
  name: string | null;
  instructions: readonly Instruction[];
}

export interface Dockerfile {
  /** Before the first FROM: only ARG may stand there. */
  global: readonly Instruction[];
  stages: readonly Stage[];
}

export function parseDockerfile(lines: readonly string[]): Dockerfile {
  const global: Instruction[] = [];
  const stages: (Stage & { instructions: Instruction[] })[] = [];
  for (const instruction of instructionsOf(lines)) {
    const stage = stages.at(-1);
    if (instruction.keyword === "FROM") stages.push({ ...parseFrom(instruction), instructions: [] });
    else if (stage === undefined) global.push(instruction);
    else stage.instructions.push(instruction);
  }
  return { global, stages };
}

function parseFrom(from: Instruction): Omit<Stage, "instructions"> {
  const words = from.text.split(/\s+/).filter((word) => word !== "" && !word.startsWith("--"));
  const name = words[1]?.toLowerCase() === "as" ? (words[2]?.toLowerCase() ?? null) : null;
  return { from, image: words[0] ?? "", name };
}

function* instructionsOf(lines: readonly string[]): Generator<Instruction> {
  const continued = /^#\s*escape\s*=\s*`/im.test(lines.slice(0, 3).join("\n")) ? "`" : "\\";
  let index = 0;
  while (index < lines.length) {
    const start = /^\s*([A-Za-z]+)\s+(\S.*)$/.exec(lines[index] ?? "");
    if (start === null) {
      index += 1;
      continue;
    }
    const parts: Part[] = [];
    index = takeLogicalLine(lines, index, start[2] ?? "", continued, parts);
    index = takeHereDocuments(lines, index, parts);
    yield toInstruction((start[1] ?? "").toUpperCase(), parts);
  }
}

interface Part {
  line: number;
  text: string;
}

/** Comments and empty lines may stand between continued lines. Returns the index after the last. */
function takeLogicalLine(
  lines: readonly string[],
  from: number,
  firstText: string,
  continued: string,
  into: Part[],
): number {
  let index = from;
  let text = firstText;
  for (;;) {
    const ended = text.trimEnd();
    const more = ended.endsWith(continued);
    if (!/^\s*(?:#|$)/.test(text) || index === from)
      into.push({ line: index + 1, text: more ? ended.slice(0, -1) : text });
    const comment = index > from && /^\s*(?:#|$)/.test(text);
    index += 1;
    if ((!more && !comment) || index >= lines.length) return index;
    text = lines[index] ?? "";
  }
}

function takeHereDocuments(lines: readonly string[], from: number, into: Part[]): number {
  let index = from;
  const opening = into.map((part) => part.text).join(" ");
  for (const [, quoted = ""] of opening.matchAll(/<<-?(["']?[A-Za-z_]\w*["']?)/g)) {
    const end = quoted.replace(/["']/g, "");
    while (index < lines.length && lines[index]?.trim() !== end) {
      into.push({ line: index + 1, text: `\n${lines[index]}` });
      index += 1;
    }
    index += 1;
  }
  return index;
}

function toInstruction(keyword: string, parts: readonly Part[]): Instruction {
  const text = parts.map((part) => part.text).join(" ");
  const lineAt = (offset: number) => {
    let passed = 0;
    for (const part of parts) {
      passed += part.text.length + 1;
      if (offset < passed) return part.line;
    }
    return parts.at(-1)?.line ?? 1;
  };
  return { keyword, text, line: parts[0]?.line ?? 1, lineAt };
}
