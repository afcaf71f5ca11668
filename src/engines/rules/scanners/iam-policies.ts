/** AWS policies written as JSON text, in here-documents of Terraform or files of their own: no grammar looks into them. */
import type { Detector } from "../detector.ts";
import { type Finding, findingAt, newFile, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";

const wildcardPolicy: Rule = {
  id: "tf/iam-wildcard-text",
  title: "every right granted in a policy's text",
  category: "security",
  severity: "high",
  cwe: 250,
  message: "This policy allows everything on everything.",
  why: "Whoever gets hold of the role owns the whole account.",
  advice: "List the actions that are needed, and the resources that they are needed on.",
  placement: "inline",
  bad: [
    terraform(
      '{\n  "Statement": [{\n    "Effect": "Allow",\n    "Action": "*",\n    "Resource": "*"\n  }]\n}',
    ),
    newFile(
      "policies/admin.json",
      '{\n  "Statement": {\n    "Effect": "Allow",\n    "Action": ["*"],\n    "Resource": ["*"]\n  }\n}\n',
    ),
  ],
  ok: [
    terraform(
      '{\n  "Statement": [{\n    "Effect": "Allow",\n    "Action": ["s3:GetObject"],\n    "Resource": "*"\n  }]\n}',
    ),
    terraform(
      '{\n  "Statement": [{\n    "Effect": "Deny",\n    "Action": "*",\n    "Resource": "*"\n  }]\n}',
    ),
    terraform(
      '{\n  "Statement": [{\n    "Effect": "Allow",\n    "Principal": { "AWS": "a" },\n    "Action": "*",\n    "Resource": "*"\n  }]\n}',
    ),
    terraform(
      '{\n  "Statement": [{\n    "Effect": "Allow",\n    "Action": "*",\n    "Resource": "*",\n    "Condition": { "Bool": {} }\n  }]\n}',
    ),
    terraform("#!/bin/sh\necho '\"Statement\"'"),
    newFile("data/a.json", '{ "Statement": "Action *" }\n'),
  ],
};

export const iamPolicies: Detector = {
  rules: [wildcardPolicy],
  appliesTo: (file) =>
    (file.language === "hcl" || file.language === "json") &&
    !file.isTest &&
    file.text.includes('"Statement"'),
  find,
};

const lengthMax = 400_000;
/** The line of the text that grants every action. */
const everyAction = /"Action"\s{0,9}:\s{0,9}\[?\s{0,9}"\*(?::\*)?"/;

function* find(file: SourceFile): Generator<Finding> {
  if (file.text.length > lengthMax) return;
  for (const { text, firstLine } of file.language === "json"
    ? [{ text: file.text, firstLine: 1 }]
    : hereDocuments(file)) {
    if (!grantsEverything(text)) continue;
    const offset = text.split("\n").findIndex((line) => everyAction.test(line));
    if (offset >= 0) yield findingAt(wildcardPolicy, firstLine + offset);
  }
}

function* hereDocuments({ lines }: SourceFile): Generator<{ text: string; firstLine: number }> {
  for (let index = 0; index < lines.length; index += 1) {
    const tag = /<<-?(\w{1,50})\s*$/.exec(lines[index] ?? "")?.[1];
    if (tag === undefined) continue;
    const first = index + 1;
    while (index + 1 < lines.length && lines[index + 1]?.trim() !== tag) index += 1;
    yield { text: lines.slice(first, index + 1).join("\n"), firstLine: first + 1 };
  }
}

function grantsEverything(text: string): boolean {
  const statements = member(parsed(text), "Statement");
  return (Array.isArray(statements) ? statements : [statements]).some(
    (statement) =>
      member(statement, "Effect") === "Allow" &&
      isEverything(member(statement, "Action")) &&
      isEverything(member(statement, "Resource")) &&
      member(statement, "Condition") === undefined &&
      member(statement, "Principal") === undefined,
  );
}

function isEverything(value: unknown): boolean {
  return value === "*" || value === "*:*" || (Array.isArray(value) && value.includes("*"));
}

function member(json: unknown, name: string): unknown {
  if (typeof json !== "object" || json === null) return undefined;
  return Object.entries(json).find(([key]) => key === name)?.[1];
}

/** Text that is no JSON is no policy. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function terraform(policy: string) {
  return newFile("infra/role.tf", `resource "aws_iam_policy" "a" {\n  policy = <<EOF\n${policy}\nEOF\n}\n`);
}
