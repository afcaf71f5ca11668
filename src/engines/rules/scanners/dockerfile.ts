/** Faults in Dockerfiles, by a line parser of our own. */
import type { Detector } from "../detector.ts";
import { type Finding, findingAt, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import * as bugs from "./dockerfile-bug-rules.ts";
import { findImageBugs } from "./dockerfile-bugs.ts";
import { type Dockerfile, type Instruction, parseDockerfile, type Stage } from "./dockerfile-instructions.ts";
import * as security from "./dockerfile-security-rules.ts";
import { looksInvented } from "./placeholder.ts";

export const dockerfiles: Detector = {
  rules: [...Object.values(security), ...Object.values(bugs)],
  appliesTo: (file) => isDockerfile(file.path) && file.whole,
  find,
};

function isDockerfile(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return (
    /^(?:Dockerfile|Containerfile)(?:[._-][\w.-]+)?$|\.(?:dockerfile|containerfile)$/i.test(name) &&
    !/\.(?:dockerignore|md|txt|ts|js|py|go|j2|erb|tmpl|template|tt)$/i.test(name)
  );
}

/** Longer instructions are generated; the patterns below look at the text in front of each word. */
const textMax = 20_000;
/** Each argument is looked for in each instruction; a file this long is not one that people write. */
const linesMax = 3_000;

function* find(file: SourceFile): Generator<Finding> {
  if (file.lines.length > linesMax) return;
  const parsed = parseDockerfile(file.lines);
  if (!isForDevelopment(file)) yield* findBaseImages(parsed);
  if (!file.isTest) yield* findImageBugs(file, parsed);
  for (const stage of parsed.stages) {
    const final = stage === parsed.stages.at(-1);
    for (const instruction of stage.instructions) {
      if (instruction.text.length > textMax) continue;
      if (instruction.keyword === "ADD" && !file.isTest) yield* findRemoteAdd(instruction);
      if (instruction.keyword === "RUN" && !file.isTest) yield* findInRun(instruction);
      if (["ENV", "ARG"].includes(instruction.keyword)) yield* findSecrets(instruction, final);
    }
    if (final && !isForDevelopment(file)) yield* findRootUser(stage, file.text);
  }
}

function isForDevelopment(file: SourceFile): boolean {
  return file.isTest || /(^|\/)\.devcontainer\/|[._-]dev\b|\bdev(elopment)?[._/-]/i.test(file.path);
}

function* findBaseImages({ stages }: Dockerfile): Generator<Finding> {
  const names = new Set<string>();
  for (const { from, image, name } of stages) {
    const tag = /:([\w.-]+)$/.exec(image.slice(image.lastIndexOf("/") + 1))?.[1];
    const fixed = image.includes("$") || image.includes("@") || image === "" || image === "scratch";
    const floating = tag === undefined || tag === "latest";
    if (!fixed && floating && !names.has(image.toLowerCase()))
      yield findingAt(security.floatingBaseImage, from.line, { image });
    if (name !== null) names.add(name);
  }
}

/** Programs that start as root on purpose and step down by themselves. */
const stepsDown = /\b(?:gosu|su-exec|setpriv|s6-\w+|runuser|supervisord)\b|\/init\b/;

function* findRootUser(stage: Stage, text: string): Generator<Finding> {
  const user = stage.instructions.findLast(({ keyword }) => keyword === "USER");
  const starts = stage.instructions.some(({ keyword }) => keyword === "CMD" || keyword === "ENTRYPOINT");
  if (user === undefined || !starts || stepsDown.test(text)) return;
  if (/^(?:root|0)(?::\w+)?\s*$/.test(user.text)) yield findingAt(security.rootUser, user.line);
}

function* findRemoteAdd(add: Instruction): Generator<Finding> {
  if (/\s--checksum=|^--checksum=/.test(add.text)) return;
  if (/(?:^|\s)https?:\/\/\S+(?<!\.git)(?:\s|$)/.test(add.text) && !/\.git#/.test(add.text))
    yield findingAt(security.remoteAdd, add.line);
}

const secretName =
  /(?:^|_)(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|ACCESS_KEY|PRIVATE_KEY|SECRET_KEY(?:_BASE)?)$/i;

function* findSecrets(instruction: Instruction, final: boolean): Generator<Finding> {
  for (const match of instruction.text.matchAll(/(?:^|\s)([A-Za-z_]\w*)(?:=("[^"]*"|'[^']*'|\S*))?/g)) {
    const [, name = "", quoted] = match;
    const value = (quoted ?? "").replace(/^["']|["']$/g, "");
    if (!secretName.test(name) || /^[$<{]/.test(value)) continue;
    const line = instruction.lineAt(match.index + match[0].length - 1);
    if (value !== "" && isSecretValue(value)) yield findingAt(security.secretInImage, line, { name });
    else if (value === "" && instruction.keyword === "ARG" && final)
      yield findingAt(security.secretBuildArgument, line, { name });
    if (instruction.keyword === "ARG") return;
  }
}

/** Not a word, a switch or a path, but something that somebody made up or generated. */
function isSecretValue(value: string): boolean {
  return (
    value.length >= 8 &&
    /\d/.test(value) &&
    /[A-Za-z]/.test(value) &&
    !/[/$]/.test(value) &&
    !looksInvented(value)
  );
}

const inCommands: readonly { rule: Rule; pattern: RegExp; value: string }[] = [
  {
    rule: security.curlPipeShell,
    pattern: /\b(?:curl|wget)\s[^|;&\n]{0,500}\|\s*(?:sudo\s+(?:-\w+\s+)?)?(?:ba|da|z|k)?sh\b/g,
    value: "command",
  },
  {
    rule: security.insecureDownload,
    pattern:
      /(?<shown>--no-check-certificate|--allow-unauthenticated|--force-yes|strict-ssl[ =]false|http\.sslVerify[ =]false|GIT_SSL_NO_VERIFY=(?:1|true))\b/g,
    value: "option",
  },
  {
    rule: security.worldWritable,
    pattern: /\b(?<shown>chmod\s+(?:-[a-zA-Z]+\s+)?(?:0?777|a\+r?wx?))\s+(?!\/tmp(?:\s|$))/g,
    value: "command",
  },
];

function* findInRun(run: Instruction): Generator<Finding> {
  for (const match of run.text.matchAll(/\bcurl\s[^|;&\n]{0,500}/g)) {
    const option = /\s(?:-[a-zA-Z]{0,6}k[a-zA-Z]{0,6}|--insecure)(?=\s)/.exec(match[0])?.[0].trim();
    if (option !== undefined && !/:\/\/(?:localhost|127\.)/.test(match[0]))
      yield findingAt(security.insecureDownload, run.lineAt(match.index), { option });
  }
  for (const { rule, pattern, value } of inCommands) {
    for (const match of run.text.matchAll(pattern)) {
      yield findingAt(rule, run.lineAt(match.index), { [value]: match.groups?.shown ?? "" });
    }
  }
}
