/** Kubernetes rules about objects that the cluster refuses or that do not work. */
import { type Example, newFile, type Rule } from "../rule.ts";

export const selectorMismatch: Rule = {
  id: "k8s/selector-mismatch",
  title: "selector that misses its own pods",
  category: "bug",
  severity: "high",
  cwe: null,
  message: "The selector asks for `{label}`, which the pods below do not have.",
  why: "The cluster refuses the object.",
  advice: "Give the selector and the pod template the same label.",
  placement: "inline",
  bad: [workload("app: a", "app: b", "tty: true")],
  ok: [
    workload("app: a", "app: a\n        tier: web", "tty: true"),
    workload("app: a", "<<: *labels", "tty: true"),
    workload('version: "1"', "version: '1'", "tty: true"),
  ],
};

export const textExpected: Rule = {
  id: "k8s/text-expected",
  title: "number or truth value where a text must stand",
  category: "bug",
  severity: "high",
  cwe: null,
  message: "`{value}` is not a text here.",
  why: "Values of variables, labels, annotations and ConfigMaps must be texts; the cluster refuses the object.",
  advice: "Put it in quotes.",
  placement: "inline",
  bad: [
    workload("app: a", "app: a", "env:\n            - name: PORT\n              value: 8080"),
    newFile(
      "k8s/config.yml",
      "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  DEBUG: true\n",
    ),
  ],
  ok: [
    workload("app: a", "app: a", 'env:\n            - name: PORT\n              value: "8080"'),
    workload("app: a", "app: a", "ports:\n            - containerPort: 8080"),
    newFile(
      "k8s/config.yml",
      "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  VERSION: 1.2.3\n  LEVEL: info\n",
    ),
    newFile(
      "k8s/config.yml",
      "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  A: !!str 12\n",
    ),
    newFile(
      "k8s/custom.yml",
      "apiVersion: shop.example/v1\nkind: Shop\nmetadata:\n  name: a\ndata:\n  A: 12\n",
    ),
    workload("app: a", "app: a", "env:\n            - name: EMPTY\n              value:"),
  ],
};

export const removedApi: Rule = {
  id: "k8s/removed-api",
  title: "API version that is gone",
  category: "bug",
  severity: "high",
  cwe: null,
  message: "`{version}` has no `{kind}` since Kubernetes {since}.",
  why: "Every cluster that is still supported refuses the object.",
  advice: "Move it to the current API version, whose fields can differ.",
  placement: "inline",
  bad: [newFile("k8s/ingress.yml", "apiVersion: extensions/v1beta1\nkind: Ingress\nmetadata:\n  name: a\n")],
  ok: [
    newFile("k8s/ingress.yml", "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata:\n  name: a\n"),
    newFile("k8s/crd.yml", "apiVersion: shop.example/v1beta1\nkind: Ingress\nmetadata:\n  name: a\n"),
    newFile("k8s/cron.yml", "apiVersion: batch/v1\nkind: CronJob\nmetadata:\n  name: a\n"),
  ],
};

export const unknownPort: Rule = {
  id: "k8s/unknown-port",
  title: "probe of a port that is not there",
  category: "bug",
  severity: "high",
  cwe: null,
  message: "No port of this container is called `{name}`.",
  why: "The probe always fails, and the container is restarted or never gets traffic.",
  advice: "Name the port under `ports`, or give its number.",
  placement: "inline",
  bad: [
    workload(
      "app: a",
      "app: a",
      "readinessProbe:\n            httpGet:\n              path: /\n              port: http\n          ports:\n            - name: web\n              containerPort: 80",
    ),
  ],
  ok: [
    workload(
      "app: a",
      "app: a",
      "readinessProbe:\n            httpGet:\n              path: /\n              port: web\n          ports:\n            - name: web\n              containerPort: 80",
    ),
    workload("app: a", "app: a", "livenessProbe:\n            tcpSocket:\n              port: 80"),
  ],
};

export const floatingImage: Rule = {
  id: "k8s/latest",
  title: "image without a fixed version",
  category: "dependency",
  severity: "low",
  cwe: 1104,
  message: "`{image}` is whatever was pushed last.",
  why: "Pods of one Deployment can then run different versions, and going back to the one before is not possible.",
  advice: "Name a version or a digest.",
  placement: "inline",
  bad: [
    newFile(
      "k8s/pod.yml",
      "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n  containers:\n    - name: a\n      image: acme/shop:latest\n",
    ),
  ],
  ok: [
    newFile(
      "k8s/pod.yml",
      "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n  containers:\n    - name: a\n      image: acme/shop:1.2\n",
    ),
    newFile(
      "k8s/pod.yml",
      "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n  containers:\n    - name: a\n      image: acme/shop\n",
    ),
    newFile(
      "examples/pod.yml",
      "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n  containers:\n    - name: a\n      image: acme/shop:latest\n",
    ),
  ],
};

export const noMemoryLimit: Rule = {
  id: "k8s/no-memory-limit",
  title: "container without a memory limit",
  category: "error_handling",
  severity: "low",
  cwe: 400,
  message: "The container `{name}` has no memory limit.",
  why: "A leak in it can take the memory of everything else on the machine.",
  advice: "Set `resources.limits.memory`.",
  placement: "summary",
  bad: [workload("app: a", "app: a", "tty: true")],
  ok: [
    workload("app: a", "app: a", "resources:\n            limits:\n              memory: 64Mi"),
    workload("app: a", "app: a", "resources: *small"),
    newFile(
      "k8s/pod.yml",
      "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n  containers:\n    - name: a\n      image: acme/shop:1\n",
    ),
  ],
};

function workload(selector: string, labels: string, container: string): Example {
  return newFile(
    "k8s/app.yml",
    `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\nspec:\n  selector:\n    matchLabels:\n      ${selector}\n  template:\n    metadata:\n      labels:\n        ${labels}\n    spec:\n      containers:\n        - name: a\n          image: a:1\n          ${container}\n`,
  );
}
