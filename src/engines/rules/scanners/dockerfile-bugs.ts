/** Images that do not build or do not do what they say: needs the order of instructions and stages. */
import { type Finding, findingAt } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import * as rules from "./dockerfile-bug-rules.ts";
import type { Dockerfile, Instruction, Stage } from "./dockerfile-instructions.ts";

export function* findImageBugs(file: SourceFile, { global, stages }: Dockerfile): Generator<Finding> {
  for (const stage of stages) {
    yield* findApt(stage);
    yield* findCommands(stage, file);
    for (const instruction of stage.instructions) {
      if (instruction.keyword === "RUN") yield* findCdAlone(instruction);
      if (instruction.keyword === "ENV") yield* findOwnVariable(instruction, stage);
      if (instruction.keyword === "CMD" || instruction.keyword === "ENTRYPOINT")
        yield* findListForm(instruction);
    }
  }
  yield* findGlobalArguments(global, stages);
}

const aptInstall =
  /(?:^|&&|\|\||;|\n|\bthen\b|\bsudo\b)\s*(?:[A-Z_]+=\S+\s+)*apt-get\s+(?:-\S+\s+)*install\b[^&|;\n]*/g;
const saysYes = /\s(?:-\w*y\w*|-qq\w*|--yes|--assume-yes)(?:\s|$)|\$/;

function* findApt(stage: Stage): Generator<Finding> {
  let updated: Instruction | null = null;
  for (const run of stage.instructions.filter(({ keyword }) => keyword === "RUN")) {
    const command = run.text.replace(/--mount=\S+\s+/g, "");
    const installs = /\bapt-get\s+(?:-\S+\s+)*install\b/.test(command);
    if (/\bapt-get\s+(?:-\S+\s+)*update\b/.test(command)) updated = null;
    else if (installs && updated !== null) {
      yield findingAt(rules.aptUpdateAlone, updated.line, { line: `${run.line}` });
      updated = null;
    }
    if (/^(?:sudo\s+)?apt-get\s+(?:-\S+\s+)*update(?:\s+-\S+)*\s*$/.test(run.text)) updated = run;
    for (const match of run.text.matchAll(aptInstall))
      if (!saysYes.test(match[0])) yield findingAt(rules.aptGetWithoutYes, run.lineAt(match.index + 3));
  }
}

function* findCdAlone(run: Instruction): Generator<Finding> {
  const last = run.text.split(/&&|;/).at(-1) ?? "";
  if (/^\s*cd\s+[\w./${}~-]+\s*$/.test(last) && !/[("'`]/.test(run.text))
    yield findingAt(rules.cdAlone, run.lineAt(run.text.length - last.length + last.search(/\S/)));
}

function* findCommands(stage: Stage, file: SourceFile): Generator<Finding> {
  const starts = (name: string) => stage.instructions.filter(({ keyword }) => keyword === name);
  for (const keyword of ["CMD", "ENTRYPOINT"]) {
    const all = starts(keyword);
    const last = all.at(-1);
    for (const earlier of all.slice(0, -1))
      yield findingAt(rules.overriddenCommand, earlier.line, { keyword, line: `${last?.line}` });
  }
  const entry = starts("ENTRYPOINT").at(-1);
  const command = starts("CMD").at(-1);
  if (entry === undefined || command === undefined || entry.text.startsWith("[")) return;
  yield findingAt(rules.ignoredCommand, file.added.has(entry.line) ? entry.line : command.line);
}

const shells = /^(?:\/\S*\/)?(?:(?:ba|da|a|z|k)?sh|pwsh|powershell|cmd)(?:\.exe)?$/i;

function* findListForm(start: Instruction): Generator<Finding> {
  const text = start.text.trim();
  if (!/^\[.*\]$/s.test(text)) return;
  const words = listOf(text);
  if (words === null) {
    if (/^\[\s*["']/.test(text)) yield findingAt(rules.execFormQuotes, start.line);
    return;
  }
  if (words.some((word) => shells.test(word))) return;
  const variable = /\$(?:[A-Z_][A-Z0-9_]*|\{[A-Z_][A-Z0-9_]*\})/.exec(words.join(" "))?.[0];
  if (variable !== undefined) yield findingAt(rules.execFormVariable, start.line, { variable });
}

/** Null when it is no JSON list of texts. */
function listOf(text: string): string[] | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) && parsed.every((word) => typeof word === "string") ? parsed : null;
  } catch {
    return null;
  }
}

function* findOwnVariable(env: Instruction, stage: Stage): Generator<Finding> {
  const set = new Map<string, number>();
  const earlier = stage.instructions.slice(0, stage.instructions.indexOf(env));
  for (const match of env.text.matchAll(/(?:^|\s)([A-Za-z_]\w*)=("[^"]*"|[^\s"']*)/g)) {
    const [, name = "", value = ""] = match;
    for (const [used, braced, plain] of value.matchAll(/\$(?:\{(\w+)\}|(\w+))/g)) {
      const variable = braced ?? plain ?? "";
      if (set.has(variable) && !earlier.some((other) => declares(other, variable)))
        yield findingAt(rules.envSameInstruction, env.lineAt(match.index + 1), { variable: used });
    }
    set.set(name, match.index);
  }
}

function* findGlobalArguments(global: readonly Instruction[], stages: readonly Stage[]): Generator<Finding> {
  for (const { text, keyword } of global) {
    const name = /^[A-Za-z_]\w*/.exec(text)?.[0];
    if (keyword !== "ARG" || name === undefined) continue;
    const knowing = new Set<string>();
    for (const stage of stages) {
      let known = knowing.has(stage.image.toLowerCase()) || isSetByImage(name, stage.image);
      for (const instruction of stage.instructions) {
        known ||= declares(instruction, name);
        const used = known ? -1 : usedAt(instruction, name);
        if (used < 0) continue;
        yield findingAt(rules.globalArgument, instruction.lineAt(used), { name });
        known = true;
      }
      if (known && stage.name !== null) knowing.add(stage.name);
    }
  }
}

/** `NODE_VERSION` in `node:20`: official images set their own version; of a computed image nothing is known. */
function isSetByImage(name: string, image: string): boolean {
  const [product = ""] = name.toLowerCase().split("_");
  return image.toLowerCase().includes(product) || /VERSION$|^TARGET|^BUILD|PROXY$/i.test(name);
}

function declares({ keyword, text }: Instruction, name: string): boolean {
  if (keyword !== "ARG" && keyword !== "ENV") return false;
  return new RegExp(`(?:^|\\s)${name}(?:[=\\s]|$)`).test(text);
}

/** Where an instruction that Docker or a shell expands reads the variable; -1 when it does not, or sets it itself. */
function usedAt({ keyword, text }: Instruction, name: string): number {
  if (!["RUN", "COPY", "ADD", "WORKDIR", "ENV", "LABEL", "USER", "EXPOSE"].includes(keyword)) return -1;
  if (keyword === "RUN" && new RegExp(`\\b${name}=|\\bread\\b|\\bfor\\s+${name}\\b|id=|'|\\\\\\$`).test(text))
    return -1;
  return text.search(new RegExp(`(?<!\\\\)\\$(?:${name}(?!\\w)|\\{${name}\\})`));
}
