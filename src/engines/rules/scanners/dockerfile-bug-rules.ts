/** Dockerfile rules about images that do not build or do not do what they say. */
import { type Example, newFile, type Rule } from "../rule.ts";

export const aptGetWithoutYes: Rule = {
  id: "docker/apt-get-without-yes",
  title: "apt-get install that asks",
  category: "bug",
  severity: "medium",
  cwe: null,
  message: "`apt-get install` has no `-y` here.",
  why: "It asks whether to go on, nobody answers during a build, and the build stops.",
  advice: "Add `-y`.",
  placement: "inline",
  bad: [image("RUN apt-get update && apt-get install curl\n")],
  ok: [
    image("RUN apt-get update && apt-get install -y curl\n"),
    image("RUN apt-get update -qq && apt-get install -qqy --no-install-recommends \\\n  curl\n"),
    image("RUN apt-get update && apt-get --assume-yes install curl\n"),
    image("RUN apt-get install -qq curl\n"),
    image("RUN yes | apt-get install curl\n"),
    image('RUN echo "apt-get install curl" > /help.txt\n'),
    image("RUN apt-get install \\\n  -y curl\n"),
    image(`RUN apt-get install \${APT_OPTIONS} curl\n`),
  ],
};

export const aptUpdateAlone: Rule = {
  id: "docker/apt-update-alone",
  title: "package list updated in a layer of its own",
  category: "bug",
  severity: "medium",
  cwe: null,
  message: "`apt-get update` runs in a layer of its own, before the `install` on line {line}.",
  why: "The layer stays cached when the package list on the servers moves on, so a later build asks for versions that are gone.",
  advice: "Run `apt-get update` and `apt-get install` in the same `RUN`.",
  placement: "inline",
  bad: [image("RUN apt-get update\nRUN apt-get install -y curl\n")],
  ok: [
    image("RUN apt-get update && apt-get install -y curl\n"),
    image("RUN apt-get update\nRUN apt-get update && apt-get install -y curl\n"),
    image("RUN apt-get update && apt-get upgrade -y\n"),
    image("RUN --mount=type=cache,target=/var/lib/apt apt-get update\nRUN apt-get install -y curl\n"),
  ],
};

export const cdAlone: Rule = {
  id: "docker/cd-alone",
  title: "cd that lasts for nothing",
  category: "bug",
  severity: "medium",
  cwe: null,
  message: "This `cd` is forgotten when its `RUN` ends.",
  why: "Every `RUN` starts in the `WORKDIR`, so what follows runs in another folder than it seems to.",
  advice: "Use `WORKDIR`, or put the command after the `cd` with `&&`.",
  placement: "inline",
  bad: [image("RUN cd /app\nRUN make\n"), image("RUN mkdir -p /app && cd /app\nRUN make\n")],
  ok: [
    image("RUN cd /app && make\n"),
    image("RUN cd /app; make\n"),
    image("RUN cd /app \\\n  && make\n"),
    image('RUN echo "cd /app" >> /root/.bashrc\n'),
    image("RUN (cd /app; make)\n"),
  ],
};

export const ignoredCommand: Rule = {
  id: "docker/ignored-command",
  title: "CMD without effect",
  category: "bug",
  severity: "medium",
  cwe: null,
  message: "`CMD` has no effect beside an `ENTRYPOINT` in shell form.",
  why: "A shell-form `ENTRYPOINT` takes no arguments, neither from `CMD` nor from `docker run`, and it does not pass signals on.",
  advice: 'Write the `ENTRYPOINT` as a list: `["program", "argument"]`.',
  placement: "inline",
  bad: [image('ENTRYPOINT /app/start.sh\nCMD ["--port", "80"]\n')],
  ok: [
    image('ENTRYPOINT ["/app/start.sh"]\nCMD ["--port", "80"]\n'),
    image("ENTRYPOINT /app/start.sh\n"),
    image("CMD /app/start.sh\n"),
    image('ENTRYPOINT []\nCMD ["app"]\n'),
  ],
};

export const overriddenCommand: Rule = {
  id: "docker/overridden-command",
  title: "CMD or ENTRYPOINT written twice",
  category: "bug",
  severity: "medium",
  cwe: null,
  message: "This `{keyword}` is overridden by the one on line {line}.",
  why: "Only the last one of a stage counts, so this one never runs.",
  advice: "Delete one of them, or start both programs from one script.",
  placement: "inline",
  bad: [image('CMD ["worker"]\nCMD ["server"]\n')],
  ok: [
    image('CMD ["worker"]\nFROM debian:12.5\nCMD ["server"]\n'),
    image('ENTRYPOINT ["tini"]\nCMD ["server"]\n'),
    image('HEALTHCHECK CMD curl -f localhost\nCMD ["server"]\n'),
  ],
};

export const execFormQuotes: Rule = {
  id: "docker/exec-form-quotes",
  title: "list in single quotes",
  category: "bug",
  severity: "high",
  cwe: null,
  message: "This list is not JSON, so it is run as a shell command that begins with `[`.",
  why: "Docker reads the list form only with double quotes and commas; anything else goes to the shell as it stands.",
  advice: "Write it with double quotes and without a comma at the end.",
  placement: "inline",
  bad: [image("CMD ['node', 'server.js']\n"), image('ENTRYPOINT ["node", "server.js",]\n')],
  ok: [
    image('CMD ["node", "server.js"]\n'),
    image("CMD [ -f /ready ] && node server.js\n"),
    image('CMD [ "node" , "server.js" ]\n'),
    image("RUN [ -d /app ] || mkdir /app\n"),
    image('CMD [\\\n  "node", \\\n  "server.js"]\n'),
    image("CMD [[ -f /ready ]] && node server.js\n"),
  ],
};

export const execFormVariable: Rule = {
  id: "docker/exec-form-variable",
  title: "variable in a list command",
  category: "bug",
  severity: "medium",
  cwe: null,
  message: "`{variable}` is not replaced in the list form.",
  why: "Without a shell nobody expands it; the program gets the characters as they stand.",
  advice: "Use the shell form with `exec`, or `sh -c` as the first words of the list.",
  placement: "inline",
  bad: [
    image('CMD ["node", "server.js", "--port", "$PORT"]\n'),
    image(`ENTRYPOINT ["java", "-Xmx\${HEAP}", "-jar", "a.jar"]\n`),
  ],
  ok: [
    image('CMD ["sh", "-c", "node server.js --port $PORT"]\n'),
    image("CMD node server.js --port $PORT\n"),
    image('CMD ["/bin/bash", "-lc", "exec node $MAIN"]\n'),
    image('CMD ["awk", "{print $1}", "/data"]\n'),
    image('CMD ["dumb-init", "sh", "-c", "exec app $PORT"]\n'),
    image('CMD ["nginx", "-g", "daemon off;"]\n'),
    image('SHELL ["powershell", "-Command", "$ErrorActionPreference = \'Stop\';"]\n'),
  ],
};

export const envSameInstruction: Rule = {
  id: "docker/env-same-instruction",
  title: "variable used where it is being set",
  category: "bug",
  severity: "medium",
  cwe: null,
  message: "`{variable}` still has its old value in the instruction that sets it.",
  why: "Docker replaces the variables of an `ENV` before it sets any of them, so this one is empty or outdated.",
  advice: "Set it in an `ENV` of its own before this one.",
  placement: "inline",
  bad: [image("ENV APP_HOME=/srv/app \\\n    PATH=$APP_HOME/bin:$PATH\n")],
  ok: [
    image("ENV APP_HOME=/srv/app\nENV PATH=$APP_HOME/bin:$PATH\n"),
    image("ENV PATH=/srv/bin:$PATH\n"),
    image("ENV APP=/srv APPS=$APP_LIST\n"),
    image("ENV NOTE='costs $APP' APP=/srv\n"),
    image("ARG APP=/srv\nENV APP=$APP OTHER=$APP\n"),
  ],
};

export const globalArgument: Rule = {
  id: "docker/global-argument",
  title: "argument from before FROM used in a stage",
  category: "bug",
  severity: "high",
  cwe: null,
  message: "`{name}` is empty here: it was declared before the first `FROM`.",
  why: "An `ARG` outside of every stage is known to `FROM` lines only.",
  advice: "Declare it again in this stage with `ARG`; it then has its value.",
  placement: "inline",
  bad: [
    newFile("Dockerfile", "ARG RELEASE=1.4\nFROM debian:12.5\nCOPY app-$RELEASE.tar.gz /srv/\n"),
    newFile("Dockerfile", `ARG RELEASE=1.4\nFROM debian:12.5\nRUN fetch app-\${RELEASE}.tar.gz\n`),
  ],
  ok: [
    newFile("Dockerfile", "ARG RELEASE=1.4\nFROM debian:12.5\nARG RELEASE\nCOPY app-$RELEASE.tar.gz /srv/\n"),
    newFile("Dockerfile", "ARG RELEASE=1.4\nFROM debian:$RELEASE\nRUN make\n"),
    newFile("Dockerfile", "ARG NODE_VERSION=20\nFROM node:$NODE_VERSION\nRUN echo $NODE_VERSION\n"),
    newFile("Dockerfile", "ARG REV=1\nFROM debian:12.5\nRUN REV=$(cat rev) && echo $REV\n"),
    newFile(
      "Dockerfile",
      "ARG REV=1\nFROM debian:12.5 AS base\nARG REV\nFROM base\nCOPY app-$REV.tar.gz /srv/\n",
    ),
    newFile("Dockerfile", "ARG REV=1\nFROM debian:12.5\nRUN echo $REVISION\n"),
    newFile("Dockerfile", "ARG REV=1\nFROM debian:12.5\nENV REV=2\nRUN echo $REV\n"),
  ],
};

function image(instructions: string): Example {
  return newFile("Dockerfile", `FROM debian:12.5\n${instructions}`);
}
