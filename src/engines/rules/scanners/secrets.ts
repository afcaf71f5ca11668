/** Credentials in added lines. What is found is never shown again: messages name its kind and its first characters. */

import type { Detector } from "../detector.ts";
import { type Finding, findingAt, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { looksInvented } from "./placeholder.ts";
import { secretShapes } from "./secret-shapes.ts";

const committedSecret: Rule = {
  id: "any/committed-secret",
  title: "credential in the code",
  category: "security",
  severity: "critical",
  cwe: 798,
  message: "This line contains a {kind} ({masked}).",
  why: "Everyone who can read the repository, now or later, can use it; deleting the line does not take it out of the history.",
  advice: "Revoke it and issue a new one, then read it from the environment or a secret store.",
  placement: "inline",
  bad: [
    {
      path: "deploy.sh",
      before: null,
      after: `export TOKEN=${["glpat", "x7Qm2LrT9vKd4WnB8sYc"].join("-")}\n`,
    },
    { path: "config.py", before: null, after: `KEY = "${["AKIA", "Q3EGRZ5TXK7BWN2M"].join("")}"\n` },
    {
      path: "settings.yml",
      before: null,
      after: `url: postgres://shop:${["vX4", "kq9Rt2"].join("")}@db.internal.corp:5432/shop\n`,
    },
  ],
  ok: [
    { path: "README.md", before: null, after: "export TOKEN=glpat-xxxxxxxxxxxxxxxxxxxx\n" },
    { path: "config.py", before: null, after: 'KEY = "AKIAIOSFODNN7EXAMPLE"\n' },
    { path: "settings.yml", before: null, after: "url: postgres://user:password@localhost:5432/shop\n" },
    {
      path: "settings.yml",
      before: null,
      after: "url: postgres://shop:$DB_PASSWORD@db.internal.corp/shop\n",
    },
  ],
};

const hardcodedPassword: Rule = {
  id: "any/hardcoded-credential",
  title: "password or key written into the code",
  category: "security",
  severity: "high",
  cwe: 798,
  message: "`{name}` gets its secret value here in the code ({masked}).",
  why: "Everyone who can read the repository, now or later, can use it, and it cannot be changed without a release.",
  advice: "Read it from the environment or a secret store, and change it where it is in use.",
  placement: "inline",
  bad: [
    { path: "src/db.ts", before: null, after: `const dbPassword = "${["h7Kq", "92xLmZ"].join("")}";\n` },
    {
      path: "app.py",
      before: null,
      after: `API_KEY = "${["9f86d081884c7d65", "9a2feaa0c55ad015"].join("")}"\n`,
    },
  ],
  ok: [
    { path: "src/db.ts", before: null, after: "const dbPassword = process.env.DB_PASSWORD;\n" },
    { path: "src/db.ts", before: null, after: 'const passwordField = "password-input";\n' },
    { path: "src/db.ts", before: null, after: 'const password = "changeme123";\n' },
    { path: "src/db.ts", before: null, after: 'const tokenUrl = "https://auth.corp/oauth2/token";\n' },
    { path: "test/db.test.ts", before: null, after: 'const password = "h7Kq92xLmZ";\n' },
    { path: "src/i18n.ts", before: null, after: 'const password = "Passwort8";\n' },
  ],
};

const privateKey: Rule = {
  id: "any/private-key",
  title: "private key in the repository",
  category: "security",
  severity: "critical",
  cwe: 321,
  message: "A private key was committed.",
  why: "Whoever reads the repository can act as its owner; deleting the file does not take it out of the history.",
  advice: "Replace the key pair everywhere it is trusted, and keep the new private key in a secret store.",
  placement: "inline",
  bad: [
    {
      path: "deploy/id_rsa",
      before: null,
      after: `${["-----BEGIN RSA", "PRIVATE KEY-----"].join(" ")}\nMIIEowIBAAKCAQEAx1Fq8Z0bqHq3cJ7m3o2Yw7e5Vn0tQ4k9\n`,
    },
  ],
  ok: [
    { path: "src/pem.ts", before: null, after: 'const header = "-----BEGIN PRIVATE KEY-----";\n' },
    {
      path: "ca.pem",
      before: null,
      after: "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0B\n",
    },
  ],
};

export const secrets: Detector = {
  rules: [committedSecret, hardcodedPassword, privateKey],
  appliesTo: () => true,
  find,
};

/** A name that holds a credential, then a quoted value; the name may end in what it holds, not in what describes it. */
const assignment =
  /(?<name>[A-Za-z_][\w.-]{0,60}?)["']?\s{0,4}(?::|=|:=|=>)\s{0,4}(?:[a-z]{1,2})?(["'`])(?<secret>[^"'`\s$<>{}]{8,200})\2/gi;
const credentialName =
  /(?:^|[_.-]|(?<=[a-z]))(?:pass(?:word|wd|phrase)?|pwd|secret|api_?-?key|access_?-?key|auth_?-?token|access_?-?token|private_?-?key|client_?-?secret|encryption_?-?key|signing_?-?key)$/i;
const privateKeyHeader = /-----BEGIN (?:[A-Z]+ ){0,2}PRIVATE KEY(?: BLOCK)?-----/;
/** Longer lines are data or minified code; names and values there mean nothing. */
const lineLengthMax = 4_000;

function* find(file: SourceFile): Generator<Finding> {
  for (const { line, text } of file.addedLines()) {
    if (text.length > lineLengthMax) continue;
    const issued = issuedSecret(text, file.isTest);
    if (issued !== null) {
      yield findingAt(committedSecret, line, issued);
      continue;
    }
    if (file.isTest) continue;
    if (privateKeyHeader.test(text) && keyBodyFollows(file, line)) yield findingAt(privateKey, line);
    const written = writtenCredential(text);
    if (written !== null) yield findingAt(hardcodedPassword, line, written);
  }
}

/** `text` with every credential in it cut to its first characters; for anything that leaves us. */
export function maskSecrets(text: string): string {
  let masked = text;
  for (const { pattern } of secretShapes) {
    masked = masked.replace(pattern, (match, ...rest) => {
      const groups = rest.at(-1) as Record<string, string | undefined>;
      const secret = groups.key ?? groups.secret ?? match;
      return match.replace(secret, mask(secret));
    });
  }
  masked = masked.replace(assignment, (match, ...rest) => {
    const { name = "", secret = "" } = rest.at(-1) as Record<string, string | undefined>;
    return credentialName.test(name) ? match.replace(secret, mask(secret)) : match;
  });
  return masked.replace(/(-----BEGIN [A-Z ]*PRIVATE KEY[A-Z ]*-----)[\s\S]*?(-----END|$)/g, "$1…$2");
}

function issuedSecret(text: string, isTest: boolean): { kind: string; masked: string } | null {
  for (const { kind, pattern, checksum } of secretShapes) {
    for (const match of text.matchAll(pattern)) {
      const secret = match.groups?.key ?? match.groups?.secret ?? match[0];
      const certain = checksum?.(secret) ?? false;
      if (certain || (!isTest && !looksInvented(secret))) return { kind, masked: mask(secret) };
    }
  }
  return null;
}

function writtenCredential(text: string): { name: string; masked: string } | null {
  for (const match of text.matchAll(assignment)) {
    const { name = "", secret = "" } = match.groups ?? {};
    if (credentialName.test(name) && isHardToGuess(secret) && !looksInvented(secret)) {
      return { name, masked: mask(secret) };
    }
  }
  return null;
}

/** Letters and digits mixed, no path, address or sentence: what a person or a generator makes as a secret. */
function isHardToGuess(value: string): boolean {
  if (/^[A-Za-z]+\d{0,3}$|^[\d.:-]+$|[/\\][\w-]+[/\\]|:\/\/|^[\w-]+\.[\w.-]+$|[()[\];,]/.test(value))
    return false;
  return /\d/.test(value) && /[A-Za-z]/.test(value);
}

function keyBodyFollows(file: SourceFile, line: number): boolean {
  const sameLine = /PRIVATE KEY(?: BLOCK)?-----(?:\\n|\s)+[A-Za-z0-9+/=]{20,}/.test(
    file.lines[line - 1] ?? "",
  );
  const body = file.lines.slice(line, line + 6).some((next) => /^\s*["']?[A-Za-z0-9+/=]{40,}/.test(next));
  return sameLine || body;
}

function mask(secret: string): string {
  return `${secret.slice(0, Math.min(4, Math.floor(secret.length / 3)))}…`;
}
