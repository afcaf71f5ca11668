/** A key written twice in one YAML mapping. */
import type { Detector } from "../detector.ts";
import { type Finding, findingAt, newFile, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { entriesOf, itemsOf, type YamlValue, yamlDocuments } from "./yaml-values.ts";

const duplicateKey: Rule = {
  id: "yaml/duplicate-key",
  title: "key written twice",
  category: "bug",
  severity: "high",
  cwe: null,
  message: "`{key}` stands in this mapping already, on line {first}.",
  why: "Readers of the file either refuse it or take the last one without a word, so the other one has no effect.",
  advice: "Merge the two, or rename one.",
  placement: "inline",
  bad: [newFile("config/app.yml", "server:\n  port: 80\n  host: a\n  port: 8080\n")],
  ok: [
    newFile("config/app.yml", "a:\n  port: 80\nb:\n  port: 80\n"),
    newFile("config/app.yml", "- port: 80\n- port: 81\n"),
    newFile("config/app.yml", "a:\n  <<: *x\n  <<: *y\n"),
    newFile("chart/templates/a.yml", "{{ if .Values.a }}\nport: 80\n{{ else }}\nport: 81\n{{ end }}\n"),
    newFile("config/app.yml", "port: 80\n---\nport: 81\n"),
  ],
};

export const duplicateKeys: Detector = {
  rules: [duplicateKey],
  // Cirrus CI gives a key that comes twice a meaning of its own.
  appliesTo: (file) =>
    file.language === "yaml" && !file.path.endsWith(".cirrus.yml") && !/(?<!\$)\{\{|\{%|<%/.test(file.text),
  find,
};

function* find(file: SourceFile): Generator<Finding> {
  if (file.tree === null || file.tree.rootNode.hasError) return;
  for (const document of yamlDocuments(file.tree)) yield* findIn(document);
}

function* findIn(value: YamlValue): Generator<Finding> {
  const seen = new Map<string, number>();
  for (const { key, line, value: member } of entriesOf(value)) {
    const first = seen.get(key);
    if (first !== undefined && key !== "<<" && key !== "")
      yield findingAt(duplicateKey, line, { key, first: `${first}` });
    seen.set(key, line);
    yield* findIn(member);
  }
  for (const item of itemsOf(value)) yield* findIn(item);
}
