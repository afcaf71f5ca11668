/** Objects that the cluster refuses or that do not work. */
import { type Finding, findingAt } from "../rule.ts";
import * as rules from "./kubernetes-bug-rules.ts";
import type { KubernetesObject } from "./kubernetes-objects.ts";
import { at, entriesOf, entryAt, itemsOf, textOf, type YamlValue } from "./yaml-values.ts";

export function* findObjectBugs(object: KubernetesObject): Generator<Finding> {
  yield* findRemovedApi(object);
  yield* findSelector(object);
  yield* findTexts(object);
  for (const container of itemsOf(at(object.podSpec, "containers"))) {
    yield* findPorts(container);
    yield* findImage(container);
    if (object.kind === "Deployment" || object.kind === "StatefulSet") yield* findLimit(container);
  }
}

/** API version and kinds → the release that removed them (Kubernetes' deprecated API migration guide). */
const removedApis: readonly [version: string, kinds: RegExp, since: string][] = [
  ["extensions/v1beta1", /^(?:Deployment|DaemonSet|ReplicaSet|NetworkPolicy|PodSecurityPolicy)$/, "1.16"],
  ["extensions/v1beta1", /^Ingress$/, "1.22"],
  ["apps/v1beta1", /^(?:Deployment|StatefulSet|ReplicaSet)$/, "1.16"],
  ["apps/v1beta2", /^(?:Deployment|StatefulSet|DaemonSet|ReplicaSet)$/, "1.16"],
  ["networking.k8s.io/v1beta1", /^(?:Ingress|IngressClass)$/, "1.22"],
  ["rbac.authorization.k8s.io/v1beta1", /^(?:Cluster)?Role(?:Binding)?$/, "1.22"],
  ["apiextensions.k8s.io/v1beta1", /^CustomResourceDefinition$/, "1.22"],
  ["admissionregistration.k8s.io/v1beta1", /WebhookConfiguration$/, "1.22"],
  ["storage.k8s.io/v1beta1", /^(?:StorageClass|CSIDriver|CSINode|VolumeAttachment)$/, "1.22"],
  ["scheduling.k8s.io/v1beta1", /^PriorityClass$/, "1.22"],
  ["batch/v1beta1", /^CronJob$/, "1.25"],
  ["policy/v1beta1", /^(?:PodDisruptionBudget|PodSecurityPolicy)$/, "1.25"],
  ["autoscaling/v2beta1", /^HorizontalPodAutoscaler$/, "1.25"],
  ["autoscaling/v2beta2", /^HorizontalPodAutoscaler$/, "1.26"],
];

function* findRemovedApi({ apiVersion, kind, value }: KubernetesObject): Generator<Finding> {
  const removed = removedApis.find(([version, kinds]) => version === apiVersion && kinds.test(kind));
  if (removed === undefined) return;
  const line = at(value, "apiVersion")?.line ?? value.line;
  yield findingAt(rules.removedApi, line, { version: apiVersion, kind, since: removed[2] });
}

function* findSelector({ apiVersion, kind, value }: KubernetesObject): Generator<Finding> {
  if (apiVersion !== "apps/v1" && !(apiVersion === "batch/v1" && kind === "Job")) return;
  const labels = at(value, "spec", "template", "metadata", "labels");
  if (labels?.kind !== "mapping" || labels.entries.some(({ key }) => key === "<<")) return;
  for (const { key, line, value: wanted } of entriesOf(at(value, "spec", "selector", "matchLabels"))) {
    const label = at(labels, key);
    const alias = [label, wanted].some((side) => side?.kind === "scalar" && side.type === "alias");
    if (key !== "<<" && !alias && textOf(label) !== textOf(wanted))
      yield findingAt(rules.selectorMismatch, line, { label: `${key}: ${textOf(wanted)}` });
  }
}

function* findTexts({ apiVersion, kind, value, podSpec }: KubernetesObject): Generator<Finding> {
  if (kind === "ConfigMap" && apiVersion === "v1") yield* notTexts(at(value, "data"));
  if (podSpec === undefined) return;
  for (const metadata of [at(value, "metadata"), at(value, "spec", "template", "metadata")])
    for (const field of ["labels", "annotations"]) yield* notTexts(at(metadata, field));
  for (const container of itemsOf(at(podSpec, "containers")))
    for (const variable of itemsOf(at(container, "env"))) yield* notText(at(variable, "value"));
}

function* notTexts(mapping: YamlValue | undefined): Generator<Finding> {
  for (const { value } of entriesOf(mapping)) yield* notText(value);
}

function* notText(value: YamlValue | undefined): Generator<Finding> {
  if (value?.kind !== "scalar" || (value.type !== "number" && value.type !== "boolean")) return;
  yield findingAt(rules.textExpected, value.line, { value: value.text });
}

function* findPorts(container: YamlValue): Generator<Finding> {
  const names = new Set(itemsOf(at(container, "ports")).map((port) => textOf(at(port, "name"))));
  for (const probe of ["readinessProbe", "livenessProbe", "startupProbe"]) {
    for (const way of ["httpGet", "tcpSocket", "grpc"]) {
      const port = at(container, probe, way, "port");
      if (
        port?.kind === "scalar" &&
        port.type === "string" &&
        /[a-z]/i.test(port.text) &&
        !names.has(port.text)
      )
        yield findingAt(rules.unknownPort, port.line, { name: port.text });
    }
  }
}

function* findImage(container: YamlValue): Generator<Finding> {
  const image = at(container, "image");
  if (image !== undefined && textOf(image).endsWith(":latest"))
    yield findingAt(rules.floatingImage, image.line, { image: textOf(image) });
}

function* findLimit(container: YamlValue): Generator<Finding> {
  const resources = at(container, "resources");
  const elsewhere = resources?.kind === "scalar" || entryAt(container, "<<") !== undefined;
  // Without an image it is a patch of another object.
  const whole = at(container, "image") !== undefined;
  if (elsewhere || !whole || at(resources, "limits", "memory") !== undefined) return;
  yield findingAt(rules.noMemoryLimit, container.line, { name: textOf(at(container, "name")) });
}
