// biome-ignore-all lint/suspicious/noTemplateCurlyInString: GitHub's and the shell's expressions look like that.
/** Text made to send regular expressions and loops astray: four times as much of it may cost little more than four times as much. */
import { afterEach, describe, expect, test } from "bun:test";
import { releaseTrees } from "../../../../src/engines/rules/parser/syntax.ts";
import { scanners } from "../../../../src/engines/rules/scanners/all.ts";
import { maskSecrets } from "../../../../src/engines/rules/scanners/secrets.ts";
import { addedFile } from "./a-file.ts";

/** What is repeated: parts of what the patterns look for, so that they match far before they fail. */
const units = [
  "a",
  " ",
  "\t",
  "_",
  "-",
  ".",
  "/",
  "\\",
  "=",
  ":",
  ",",
  ";",
  "|",
  "&",
  "'",
  '"',
  "`",
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  "<",
  "$",
  "#",
  "*",
  "%",
  "a ",
  "a=",
  "a.",
  "a-",
  "A_",
  "aA1",
  "a: ",
  "a,b",
  "\\'",
  '\\"',
  "''",
  "$a",
  "${a}",
  "${{ a",
  "}}",
  "/*",
  "*/",
  "--",
  "$$",
  "curl ",
  "curl -k ",
  "wget x|",
  "| sh ",
  "apt-get install ",
  "apt-get -q update ",
  "cd a;",
  "chmod 777 ",
  "A=$A ",
  "A='",
  "--mount=a ",
  "echo secrets.A ",
  "echo secrets.A | base64 ",
  "::set-env",
  "steps.a.outputs.b ",
  "github.head_ref && ",
  "contains(",
  "a == b && ",
  "github.event.commits[0].",
  "refs/pull/${{ ",
  "SELECT ",
  "SELECT a INTO ",
  "WHERE a = ",
  "NOT IN (SELECT a FROM ",
  "DROP COLUMN a, ",
  "ADD COLUMN a int NOT ",
  "CREATE TEMP ",
  "ALTER TABLE a ",
  "GRANT ALL ",
  "UPDATE a SET ",
  "DELETE FROM a ",
  "E'\\",
  "password",
  "password=",
  'password: "',
  "secret = '",
  "AKIA",
  "eyJ",
  "http://a:b",
  "postgres://a:",
  "-----BEGIN ",
  "PRIVATE KEY-----",
  "PRIVATE KEY-----\\n",
  "git+https://a@",
  'gem "a", git: ',
  "{ git = ",
  'url "http://',
  '"a": "',
  "pat",
  "sk-ant-",
  "dp.pt.",
  "xoxb-1-",
  "é",
  "\u0430a",
  "\u200b",
  "\u202e",
  "😀",
  "\u0000",
  "\ufeff",
] as const;

/** Around the line, so that each scanner gets to the places where its patterns are used. */
const files: Readonly<Record<string, (line: string) => string>> = {
  Dockerfile: (line) => `ARG A=1\nFROM a:1\nRUN ${line}\nENV ${line}\nCMD ${line}\n`,
  ".github/workflows/ci.yml": (line) =>
    `on: pull_request_target\njobs:\n  a:\n    steps:\n      - run: |\n          ${printable(line)}\n      - if: |\n          ${printable(line)}\n        uses: a/b@c\n`,
  "k8s/app.yml": (line) =>
    `apiVersion: v1\nkind: Secret\nstringData:\n  password: |\n    ${printable(line)}\n`,
  "db/migrations/1_a.sql": (line) => line,
  "db/migrations/2_b.sql": (line) => `ALTER TABLE a ${line};\nUPDATE b SET ${line};\n`,
  "package.json": (line) => `{\n  "dependencies": {\n    "a": ${JSON.stringify(line)}\n  }\n}\n`,
  "requirements.txt": (line) => line,
  Gemfile: (line) => line,
  "Cargo.toml": (line) => line,
  ".npmrc": (line) => line,
  "build.gradle": (line) => line,
  ".env": (line) => line,
  "src/a.js": (line) => line,
};

function printable(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what YAML does not allow is what is taken out.
  return line.replace(/[\u0000-\u001f\ufeff]/g, " ");
}

/** Four times as long is still within what one line of eight may have. */
const shortLength = 7_800;

const layouts: Readonly<Record<string, (length: number) => number>> = {
  "on one line": (length) => length,
  "on eight lines": (length) => length / 8,
  "on many lines": () => 40,
};

describe.each(Object.keys(files))("text made to run patterns astray in %s", (path) => {
  afterEach(() => releaseTrees());

  test.each(Object.keys(layouts))(
    "%s costs in proportion to its length",
    async (layout) => {
      const astray: string[] = [];
      for (const unit of units) {
        const text = (length: number) => {
          const lineLength = layouts[layout]?.(length) ?? length;
          const line = unit.repeat(Math.ceil(lineLength / unit.length));
          return (files[path] ?? String)(
            Array(Math.ceil(length / lineLength))
              .fill(line)
              .join("\n"),
          );
        };
        if (await growsTooFast(path, text)) astray.push(unit);
      }
      expect(astray).toEqual([]);
    },
    120_000,
  );
});

test("hiding secrets in a message costs in proportion to its length", () => {
  const astray = units.filter((unit) => {
    const cost = (length: number) => cpuMs(() => maskSecrets(unit.repeat(Math.ceil(length / unit.length))));
    return isTooFast(() => [cost(shortLength), cost(4 * shortLength)]);
  });
  expect(astray).toEqual([]);
}, 120_000);

async function growsTooFast(path: string, text: (length: number) => string): Promise<boolean> {
  const small = await addedFile(path, text(shortLength));
  const large = await addedFile(path, text(4 * shortLength));
  return isTooFast(() => [cpuMs(() => scan(small)), cpuMs(() => scan(large))]);
}

/** Four times the text: 4 when linear, 16 when quadratic. A single slow run is the machine's; three are the pattern's. */
function isTooFast(measure: () => [small: number, large: number]): boolean {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const [small, large] = measure();
    if (large < 15 || large < small * 9) return false;
  }
  return true;
}

function scan(file: Awaited<ReturnType<typeof addedFile>>): void {
  for (const scanner of scanners) if (scanner.appliesTo(file)) [...scanner.find(file)];
}

/** What the process computed, which other programs on the machine do not add to. */
function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
