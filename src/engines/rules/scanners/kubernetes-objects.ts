/** The Kubernetes objects in a YAML file, with the pods that they describe. */
import type { SourceFile } from "../source-file.ts";
import { at, itemsOf, textOf, type YamlValue, yamlDocuments } from "./yaml-values.ts";

export interface KubernetesObject {
  kind: string;
  apiVersion: string;
  value: YamlValue;
  /** Null for an object that starts no pods. */
  podSpec: YamlValue | undefined;
}

/** None for a file that a template engine completes: what stands there is not what the cluster gets. */
export function kubernetesObjects(file: SourceFile): KubernetesObject[] {
  if (file.tree === null || /\{\{|\{%|<%/.test(file.text)) return [];
  return yamlDocuments(file.tree)
    .flatMap((document) => [document, ...itemsOf(at(document, "items"))])
    .map(toObject)
    .filter((object) => object.kind !== "" && object.apiVersion !== "");
}

function toObject(value: YamlValue): KubernetesObject {
  const kind = textOf(at(value, "kind"));
  const path = podPaths[kind];
  return {
    kind,
    apiVersion: textOf(at(value, "apiVersion")),
    value,
    podSpec: path === undefined ? undefined : at(value, ...path),
  };
}

const template = ["spec", "template", "spec"] as const;

const podPaths: Readonly<Record<string, readonly string[]>> = {
  Pod: ["spec"],
  Deployment: template,
  StatefulSet: template,
  DaemonSet: template,
  ReplicaSet: template,
  ReplicationController: template,
  Job: template,
  CronJob: ["spec", "jobTemplate", "spec", "template", "spec"],
};
