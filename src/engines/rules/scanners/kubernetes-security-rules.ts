/** Kubernetes rules about what a container or an account may do. */
import { type Example, newFile, type Rule } from "../rule.ts";

export const privileged: Rule = {
  id: "k8s/privileged",
  title: "privileged container",
  category: "security",
  severity: "high",
  cwe: 250,
  message: "This container has all rights on the machine that it runs on.",
  why: "Whoever breaks into the program has the machine, and from there the cluster.",
  advice: "Leave `privileged` out and add the one capability that is needed.",
  placement: "inline",
  bad: [pod("securityContext:\n        privileged: true")],
  ok: [
    pod("securityContext:\n        privileged: false"),
    newFile("config/app.yml", "securityContext:\n  privileged: true\n"),
    deployed("DaemonSet", "securityContext:\n            privileged: true"),
    newFile("test/pod.yml", pod("securityContext:\n        privileged: true").after),
  ],
};

export const hostNamespace: Rule = {
  id: "k8s/host-namespace",
  title: "pod in the machine's own namespace",
  category: "security",
  severity: "high",
  cwe: 250,
  message: "`{field}` lets the pod see and reach what belongs to the machine.",
  why: "A program that is broken into can then read other pods' traffic or processes.",
  advice: "Leave it out; use a Service for traffic.",
  placement: "inline",
  bad: [deployed("Deployment", "tty: true", "hostPID: true")],
  ok: [
    deployed("DaemonSet", "tty: true", "hostPID: true"),
    deployed("Deployment", "tty: true", "hostNetwork: false"),
  ],
};

export const hostPath: Rule = {
  id: "k8s/host-path",
  title: "the machine's own files in a pod",
  category: "security",
  severity: "high",
  cwe: 250,
  message: "The pod gets `{path}` of the machine that it runs on.",
  why: "Whoever breaks into the program can take over the machine through it.",
  advice: "Use a volume of the cluster instead.",
  placement: "inline",
  bad: [
    deployed(
      "Deployment",
      "tty: true",
      "volumes:\n        - name: s\n          hostPath:\n            path: /var/run/docker.sock",
    ),
  ],
  ok: [
    deployed(
      "Deployment",
      "tty: true",
      "volumes:\n        - name: s\n          hostPath:\n            path: /data/shop",
    ),
    deployed(
      "DaemonSet",
      "tty: true",
      "volumes:\n        - name: s\n          hostPath:\n            path: /etc",
    ),
    deployed("Deployment", "tty: true", "volumes:\n        - name: s\n          emptyDir: {}"),
  ],
};

export const capability: Rule = {
  id: "k8s/capability",
  title: "capability as good as root on the machine",
  category: "security",
  severity: "high",
  cwe: 250,
  message: "The capability `{name}` is as good as root on the machine.",
  why: "Whoever breaks into the program can take over the machine with it.",
  advice: "Leave it out, or find the narrower one that is needed.",
  placement: "inline",
  bad: [pod("securityContext:\n        capabilities:\n          add: [SYS_ADMIN]")],
  ok: [
    pod("securityContext:\n        capabilities:\n          add: [NET_BIND_SERVICE]"),
    pod("securityContext:\n        capabilities:\n          drop: [ALL]"),
  ],
};

export const runAsRoot: Rule = {
  id: "k8s/run-as-root",
  title: "container that runs as root",
  category: "security",
  severity: "medium",
  cwe: 250,
  message: "`{field}` lets the container run as root.",
  why: "A program that is broken into is then one step nearer to the machine.",
  advice: "Set `runAsNonRoot: true` and a user that the image knows.",
  placement: "inline",
  bad: [pod("securityContext:\n        runAsUser: 0"), pod("securityContext:\n        runAsNonRoot: false")],
  ok: [
    pod("securityContext:\n        runAsUser: 1000"),
    pod(
      "tty: true",
      "initContainers:\n    - name: i\n      image: a:1\n      securityContext:\n        runAsUser: 0",
    ),
    pod("securityContext:\n        runAsNonRoot: true"),
  ],
};

export const wildcardRole: Rule = {
  id: "k8s/wildcard-role",
  title: "role that may do everything",
  category: "security",
  severity: "high",
  cwe: 250,
  message: "This role may do everything with every kind of object.",
  why: "Whoever gets hold of one of its accounts has the cluster or the namespace, secrets included.",
  advice: "List the verbs and resources that are needed.",
  placement: "inline",
  bad: [
    role('rules:\n  - apiGroups: ["*"]\n    resources: ["*"]\n    verbs: ["*"]'),
    role('rules:\n  - apiGroups: [""]\n    resources: ["*"]\n    verbs: ["*"]'),
  ],
  ok: [
    role('rules:\n  - apiGroups: [""]\n    resources: ["*"]\n    verbs: [get, list]'),
    role('rules:\n  - apiGroups: [apps]\n    resources: [deployments]\n    verbs: ["*"]'),
    role('rules:\n  - apiGroups: [shop.example]\n    resources: ["*"]\n    verbs: ["*"]'),
  ],
};

export const anonymousBinding: Rule = {
  id: "k8s/anonymous-binding",
  title: "rights for everybody",
  category: "security",
  severity: "critical",
  cwe: 284,
  message: "This gives the role to `{name}`, that is to everybody who reaches the cluster's API.",
  why: "No password or certificate is asked for.",
  advice: "Bind the role to the account that needs it.",
  placement: "inline",
  bad: [binding("system:anonymous", "edit")],
  ok: [
    binding("system:serviceaccounts:shop", "view"),
    binding("system:unauthenticated", "system:public-info-viewer"),
    binding("developers", "edit"),
  ],
};

export const adminByDefault: Rule = {
  id: "k8s/admin-by-default",
  title: "cluster administrator by default",
  category: "security",
  severity: "high",
  cwe: 250,
  message: "This makes every pod of the namespace that names no account an administrator of the cluster.",
  why: "Whoever breaks into one of them has the cluster, secrets included.",
  advice: "Make an account for the pod that needs rights, and a role that lists them.",
  placement: "inline",
  bad: [binding("default", "cluster-admin", "ServiceAccount")],
  ok: [
    binding("default", "view", "ServiceAccount"),
    binding("operator", "cluster-admin", "ServiceAccount"),
    binding("default", "cluster-admin", "User"),
  ],
};

export const literalSecret: Rule = {
  id: "k8s/literal-secret",
  title: "secret value in a manifest",
  category: "security",
  severity: "high",
  cwe: 312,
  message: "The variable `{name}` gets its secret value here.",
  why: "Everyone who can read the repository, or describe the pod, can use it.",
  advice: "Change the value, and take it from a Secret with `valueFrom`.",
  placement: "inline",
  bad: [pod(`env:\n        - name: DB_PASSWORD\n          value: ${["h7Kq", "92xLmZ"].join("")}`)],
  ok: [
    pod("env:\n        - name: DB_PASSWORD\n          value: changeme1"),
    pod(
      "env:\n        - name: DB_PASSWORD\n          valueFrom:\n            secretKeyRef: { name: db, key: password }",
    ),
    pod("env:\n        - name: DB_PASSWORD\n          value: $(SHARED_PASSWORD_1)"),
    pod("env:\n        - name: TOKEN_TTL\n          value: 3600s-h7Kq92x"),
    pod("env:\n        - name: API_TOKEN\n          value: /run/secrets/token1"),
    pod("env:\n        - name: SECRET_NAME\n          value: h7Kq92xLmZ"),
  ],
};

export const committedSecretObject: Rule = {
  id: "k8s/committed-secret",
  title: "Secret object with its values",
  category: "security",
  severity: "high",
  cwe: 312,
  message: "The Secret's value `{key}` stands here for everybody to read.",
  why: "Base64 hides nothing, and the value stays in the history of the repository.",
  advice: "Change the value, and commit a sealed, encrypted or external secret instead.",
  placement: "inline",
  bad: [
    secret(`stringData:\n  password: ${["h7Kq", "92xLmZ"].join("")}`),
    secret(`data:\n  password: ${btoa(["h7Kq", "92xLmZ"].join(""))}`),
  ],
  ok: [
    secret("stringData:\n  password: changeme"),
    secret("stringData:\n  password: $DB_PASSWORD"),
    secret("stringData:\n  password: '<your password>'"),
    secret('data:\n  password: ""'),
    secret("data:\n  password: cGFzc3dvcmQ="),
    secret("data:\n  host: cG9zdGdyZXMubG9jYWw="),
    secret("stringData:\n  password: ENC[AES256_GCM,data:h7Kq92xLmZ]\nsops:\n  version: 3"),
    newFile(
      "k8s/secret.yml",
      "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata:\n  name: s\nspec:\n  encryptedData:\n    password: AgBh7Kq92xLmZ\n",
    ),
  ],
};

function pod(container: string, spec = "restartPolicy: Always"): Example {
  return newFile(
    "k8s/pod.yml",
    `apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n  ${spec}\n  containers:\n    - name: a\n      image: a:1\n      ${container}\n`,
  );
}

function deployed(kind: string, container: string, spec = "restartPolicy: Always"): Example {
  return newFile(
    "k8s/app.yml",
    `apiVersion: apps/v1\nkind: ${kind}\nmetadata:\n  name: a\nspec:\n  selector:\n    matchLabels:\n      app: a\n  template:\n    metadata:\n      labels:\n        app: a\n    spec:\n      ${spec}\n      containers:\n        - name: a\n          image: a:1\n          ${container}\n`,
  );
}

function role(rules: string): Example {
  return newFile(
    "k8s/role.yml",
    `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: a\n${rules}\n`,
  );
}

function binding(group: string, to: string, kind = "Group"): Example {
  return newFile(
    "k8s/binding.yml",
    `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata:\n  name: a\nroleRef:\n  kind: ClusterRole\n  name: ${to}\nsubjects:\n  - kind: ${kind}\n    name: ${group}\n`,
  );
}

function secret(data: string): Example {
  return newFile("k8s/secret.yml", `apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n${data}\n`);
}
