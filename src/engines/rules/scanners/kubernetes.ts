/** Faults in Kubernetes manifests; a file is one by what stands in it. */
import type { Detector } from "../detector.ts";
import { type Finding, findingAt } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import * as bugs from "./kubernetes-bug-rules.ts";
import { findObjectBugs } from "./kubernetes-bugs.ts";
import { type KubernetesObject, kubernetesObjects } from "./kubernetes-objects.ts";
import * as security from "./kubernetes-security-rules.ts";
import { looksInvented } from "./placeholder.ts";
import { at, entriesOf, itemsOf, textOf, textsOf, type YamlValue } from "./yaml-values.ts";

export const kubernetes: Detector = {
  rules: [...Object.values(security), ...Object.values(bugs)],
  appliesTo: (file) =>
    file.language === "yaml" && !file.isTest && /^kind:/m.test(file.text) && /^apiVersion:/m.test(file.text),
  find,
};

function* find(file: SourceFile): Generator<Finding> {
  for (const object of kubernetesObjects(file)) {
    yield* findObjectBugs(object);
    yield* findRights(object);
    if (object.kind === "Secret" && object.apiVersion === "v1") yield* findSecretValues(object.value);
    // What runs on every machine (network, storage, logs) needs the machine.
    if (object.podSpec !== undefined && object.kind !== "DaemonSet") yield* findInPod(object.podSpec);
  }
}

const sensitivePath =
  /^\/$|^\/(?:etc|root|proc|sys|boot|dev|home)\/?$|^\/(?:var\/)?run\/(?:docker|containerd|crio)(?:\/\w+)?\.sock$|^\/var\/lib\/(?:kubelet|docker)\/?$|^\/etc\/(?:kubernetes|passwd|shadow)/;
const rootCapabilities: ReadonlySet<string> = new Set([
  "ALL",
  "SYS_ADMIN",
  "SYS_MODULE",
  "SYS_PTRACE",
  "SYS_RAWIO",
]);

function* findInPod(spec: YamlValue): Generator<Finding> {
  for (const field of ["hostPID", "hostIPC", "hostNetwork"]) {
    const value = at(spec, field);
    if (value !== undefined && textOf(value) === "true")
      yield findingAt(security.hostNamespace, value.line, { field });
  }
  for (const volume of itemsOf(at(spec, "volumes"))) {
    const path = at(volume, "hostPath", "path");
    if (path !== undefined && sensitivePath.test(textOf(path)))
      yield findingAt(security.hostPath, path.line, { path: textOf(path) });
  }
  yield* findRoot(spec);
  for (const container of itemsOf(at(spec, "containers"))) yield* findRoot(container);
  for (const name of ["containers", "initContainers"])
    for (const container of itemsOf(at(spec, name))) yield* findInContainer(container);
}

function* findRoot(holder: YamlValue): Generator<Finding> {
  const user = at(holder, "securityContext", "runAsUser");
  if (user !== undefined && textOf(user) === "0")
    yield findingAt(security.runAsRoot, user.line, { field: "runAsUser: 0" });
  const other = at(holder, "securityContext", "runAsNonRoot");
  if (other !== undefined && textOf(other) === "false")
    yield findingAt(security.runAsRoot, other.line, { field: "runAsNonRoot: false" });
}

function* findInContainer(container: YamlValue): Generator<Finding> {
  for (const variable of itemsOf(at(container, "env"))) yield* findLiteralSecret(variable);
  const context = at(container, "securityContext");
  const all = at(context, "privileged");
  if (all !== undefined && textOf(all) === "true") yield findingAt(security.privileged, all.line);
  for (const added of itemsOf(at(context, "capabilities", "add"))) {
    const name = textOf(added).replace(/^CAP_/, "");
    if (rootCapabilities.has(name)) yield findingAt(security.capability, added.line, { name });
  }
}

function* findRights({ kind, value }: KubernetesObject): Generator<Finding> {
  if (kind === "Role" || kind === "ClusterRole") {
    for (const rule of itemsOf(at(value, "rules"))) {
      const has = (field: string, word: string) => textsOf(at(rule, field)).includes(word);
      // The core group holds the secrets and what starts pods.
      const groups = has("apiGroups", "*") || has("apiGroups", "");
      if (groups && has("resources", "*") && has("verbs", "*"))
        yield findingAt(security.wildcardRole, at(rule, "verbs")?.line ?? rule.line);
    }
  }
  const role = textOf(at(value, "roleRef", "name"));
  if (!kind.endsWith("RoleBinding") || /^system:(?:public-info-viewer|discovery|basic-user)$/.test(role))
    return;
  for (const subject of itemsOf(at(value, "subjects"))) {
    const name = at(subject, "name");
    if (
      role === "cluster-admin" &&
      textOf(at(subject, "kind")) === "ServiceAccount" &&
      textOf(name) === "default"
    )
      yield findingAt(security.adminByDefault, at(value, "roleRef", "name")?.line ?? value.line);
    if (name !== undefined && /^system:(?:anonymous|unauthenticated)$/.test(textOf(name)))
      yield findingAt(security.anonymousBinding, name.line, { name: textOf(name) });
  }
}

function* findLiteralSecret(variable: YamlValue): Generator<Finding> {
  const [name, value] = [textOf(at(variable, "name")), at(variable, "value")];
  const holdsSecret =
    /(?:^|_)(?:PASSWORD|PASSWD|PASSPHRASE|PWD|SECRET|SECRET_KEY|TOKEN|API_?KEY|ACCESS_KEY|PRIVATE_KEY)$/i;
  if (
    value !== undefined &&
    holdsSecret.test(name) &&
    isSecret(name, textOf(value)) &&
    !/^[/$]|:\/\/|\$\(/.test(textOf(value))
  )
    yield findingAt(security.literalSecret, value.line, { name });
}

const secretKey = /pass(?:word|wd|phrase)?|secret|token|api[_-]?key|private[_-]?key|credential/i;

function* findSecretValues(secret: YamlValue): Generator<Finding> {
  if (at(secret, "sops") !== undefined) return;
  for (const { key, line, value } of entriesOf(at(secret, "stringData")))
    if (isSecret(key, textOf(value))) yield findingAt(security.committedSecretObject, line, { key });
  for (const { key, line, value } of entriesOf(at(secret, "data")))
    if (isSecret(key, decoded(textOf(value)))) yield findingAt(security.committedSecretObject, line, { key });
}

function isSecret(key: string, value: string): boolean {
  const madeUp =
    value.length >= 8 && /\d/.test(value) && /[A-Za-z]/.test(value) && !/^[$<]|ENC\[|\s/.test(value);
  return madeUp && secretKey.test(key) && !looksInvented(value);
}

/** Empty when it is no Base64. */
function decoded(text: string): string {
  const packed = text.replace(/\s/g, "");
  return /^[A-Za-z0-9+/]+={0,2}$/.test(packed) && packed.length % 4 === 0 ? atob(packed) : "";
}
