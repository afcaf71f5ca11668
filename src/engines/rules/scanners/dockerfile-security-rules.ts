/** Dockerfile rules about what an image gives away or takes on trust. */
import { type Example, newFile, type Rule } from "../rule.ts";

export const floatingBaseImage: Rule = {
  id: "docker/floating-base-image",
  title: "base image without a version",
  category: "dependency",
  severity: "low",
  cwe: 1104,
  message: "The base image `{image}` has no fixed version.",
  why: "Each build may get another one, so a build that worked can fail, or change what is shipped, without a commit.",
  advice: "Name a version, or better a digest (`@sha256:…`).",
  placement: "inline",
  bad: [
    newFile("Dockerfile", "FROM node\n"),
    newFile("Dockerfile", "FROM ghcr.io/acme/base:latest AS build\n"),
  ],
  ok: [
    newFile("Dockerfile", "FROM node:20.11-alpine\n"),
    newFile("Dockerfile", "FROM scratch\n"),
    newFile("Dockerfile", "FROM node:20 AS build\nFROM build\n"),
    newFile("Dockerfile", `FROM node@sha256:${"0a".repeat(32)}\n`),
    newFile("Dockerfile", "ARG BASE=node:20\nFROM $BASE\n"),
    newFile("Dockerfile", "FROM registry.corp:5000/base:1.2\n"),
    newFile("examples/Dockerfile", "FROM node\n"),
    newFile(".devcontainer/Dockerfile", "FROM node\n"),
  ],
};

export const rootUser: Rule = {
  id: "docker/root-user",
  title: "image that runs as root",
  category: "security",
  severity: "medium",
  cwe: 250,
  message: "The image ends up running as root.",
  why: "Whoever breaks into the program is root in the container, and that much closer to the host.",
  advice: "Go back to an unprivileged `USER` after what needs root.",
  placement: "inline",
  bad: [image('USER root\nRUN apk add curl\nCMD ["node", "server.js"]\n')],
  ok: [
    image('USER root\nRUN apk add curl\nUSER node\nCMD ["node", "server.js"]\n'),
    newFile("Dockerfile", 'FROM node:20 AS build\nUSER root\nFROM node:20\nUSER node\nCMD ["node"]\n'),
    image('USER 1000\nCMD ["node"]\n'),
    image('USER root\nENTRYPOINT ["gosu", "node", "server"]\n'),
    image("USER root\nRUN apk add curl\n"),
    newFile(".devcontainer/Dockerfile", 'FROM node:20\nUSER root\nCMD ["node"]\n'),
  ],
};

export const remoteAdd: Rule = {
  id: "docker/remote-add",
  title: "download without a checksum",
  category: "security",
  severity: "medium",
  cwe: 494,
  message: "`ADD` downloads this file, and nothing checks what arrives.",
  why: "Whoever controls the server or the way to it decides what goes into the image.",
  advice: "Add `--checksum=sha256:…`.",
  placement: "inline",
  bad: [image("ADD https://downloads.corp/app.tar.gz /srv/\n")],
  ok: [
    image(`ADD --checksum=sha256:${"0a".repeat(32)} https://downloads.corp/app.tar.gz /srv/\n`),
    image("ADD app.tar.gz /srv/\n"),
    image("ADD https://github.com/acme/app.git#v1.2.3 /srv/\n"),
    image("COPY app.tar.gz /srv/\n"),
  ],
};

export const secretInImage: Rule = {
  id: "docker/secret-in-image",
  title: "secret in an image",
  category: "security",
  severity: "high",
  cwe: 522,
  message: "`{name}` gets a secret value that stays in the image.",
  why: "Everyone who can pull the image reads it with `docker history`, even when a later line unsets it.",
  advice: "Pass it when the container starts, or with `RUN --mount=type=secret` during the build.",
  placement: "inline",
  bad: [
    image(`ENV DB_PASSWORD=${["h7Kq", "92xLmZ"].join("")}\n`),
    image(`ARG API_KEY="${["9f86d081884c7d65", "9a2feaa0c55ad015"].join("")}"\n`),
  ],
  ok: [
    image("ENV DB_PASSWORD=\n"),
    image("ENV DB_PASSWORD=changeme\n"),
    image("ENV DB_PASSWORD_FILE=/run/secrets/db1\n"),
    image("ENV DB_PASSWORD=$DB_PASSWORD\n"),
    image("ENV SECRET_KEY_BASE=dummy1234567890\n"),
    image("ENV PASSWORD_MIN_LENGTH=12\n"),
    image("ENV MYSQL_ALLOW_EMPTY_PASSWORD=yes\n"),
  ],
};

export const secretBuildArgument: Rule = {
  id: "docker/secret-build-argument",
  title: "secret passed as a build argument",
  category: "security",
  severity: "medium",
  cwe: 522,
  message: "`{name}` is a secret, and build arguments stay readable in the image's history.",
  why: "Everyone who can pull the image reads it with `docker history`.",
  advice: "Use `RUN --mount=type=secret,id=…` instead.",
  placement: "inline",
  bad: [image("ARG NPM_TOKEN\nRUN npm ci\n")],
  ok: [
    newFile(
      "Dockerfile",
      "FROM node:20 AS build\nARG NPM_TOKEN\nRUN npm ci\nFROM node:20\nCOPY --from=build /a /a\n",
    ),
    image("ARG VERSION\nRUN make\n"),
    image("RUN --mount=type=secret,id=NPM_TOKEN npm ci\n"),
    image("ARG TOKEN_LIFETIME=3600\nRUN make\n"),
    image("ARG TOKENIZER\nRUN make\n"),
  ],
};

export const curlPipeShell: Rule = {
  id: "docker/curl-pipe-shell",
  title: "download run unseen",
  category: "security",
  severity: "medium",
  cwe: 494,
  message: "This runs whatever the server sends.",
  why: "A server that is taken over, or a download that breaks off half way, then decides what is built.",
  advice: "Download a fixed version, check its checksum, then run it.",
  placement: "inline",
  bad: [
    image("RUN curl -fsSL https://get.corp/install.sh | bash\n"),
    image("RUN apt-get update && \\\n  wget -qO- https://get.corp/install.sh | sudo sh -s -- -y\n"),
  ],
  ok: [
    image("RUN curl -fsSL https://get.corp/a.tar.gz | tar xz\n"),
    image("RUN curl -fsSL https://get.corp/key.asc | gpg --dearmor > /k\n"),
    image('RUN curl -fsSLo i.sh https://get.corp/i.sh && echo "$SUM i.sh" | sha256sum -c && sh i.sh\n'),
    image("# curl https://get.corp | sh\nRUN make\n"),
    image("RUN curl -fsSL https://get.corp/list | sort | sha256sum\n"),
    image("RUN curl -s https://get.corp/v || sh fallback.sh\n"),
  ],
};

export const insecureDownload: Rule = {
  id: "docker/insecure-download",
  title: "download without checking the server",
  category: "security",
  severity: "high",
  cwe: 295,
  message: "`{option}` turns off the check of who sends this.",
  why: "Anyone on the way can put something else into the image.",
  advice: "Install the right certificate authority or signing key, and leave the check on.",
  placement: "inline",
  bad: [
    image("RUN curl -k -o a.tar.gz https://downloads.corp/a.tar.gz\n"),
    image("RUN wget --no-check-certificate https://downloads.corp/a.tar.gz\n"),
    image("RUN apt-get install -y --allow-unauthenticated acme-tools\n"),
    image("RUN npm config set strict-ssl false\n"),
  ],
  ok: [
    image("RUN curl -fsSLo a.tar.gz https://downloads.corp/a.tar.gz\n"),
    image("RUN curl -k https://localhost:8443/health\n"),
    image("HEALTHCHECK CMD curl -fk https://localhost/ || exit 1\n"),
    image("RUN tar -k -xf a.tar.gz && curl https://x.corp | cut -k\n"),
    image("RUN echo done --kind\n"),
  ],
};

export const worldWritable: Rule = {
  id: "docker/world-writable",
  title: "files that everybody may write",
  category: "security",
  severity: "low",
  cwe: 732,
  message: "`{command}` lets every user in the container write there.",
  why: "Any process that is broken into can then replace the program or its configuration.",
  advice: "Give the files to the user that needs them: `chown`, or `COPY --chown=…`.",
  placement: "inline",
  bad: [image("RUN chmod -R 777 /srv/app\n"), image("RUN mkdir /data && chmod 0777 /data\n")],
  ok: [
    image("RUN chmod 755 /srv/app\n"),
    image("RUN chmod 1777 /tmp\n"),
    image("RUN chmod -R g+rwX /srv\n"),
    image("RUN echo 777\n"),
    image("RUN chmod 777 /tmp\n"),
  ],
};

function image(instructions: string): Example {
  return newFile("Dockerfile", `FROM debian:12.5\n${instructions}`);
}
