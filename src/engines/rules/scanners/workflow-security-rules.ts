// biome-ignore-all lint/suspicious/noTemplateCurlyInString: GitHub's expressions look like that.
/** Rules about what a workflow lets strangers do. */
import { changed, type Example, newFile, type Rule } from "../rule.ts";

export const scriptInjection: Rule = {
  id: "gha/script-injection",
  title: "outsider's text in a script",
  category: "security",
  severity: "high",
  cwe: 94,
  message: "`{expression}` is pasted into the script before it runs.",
  why: "Whoever opens the issue or pull request chooses that text, and a quote in it ends yours and begins a command of theirs.",
  advice: "Set it as a variable under `env:` and use the variable, in quotes, in the script.",
  placement: "inline",
  bad: [
    steps('- run: echo "${{ github.event.issue.title }}"'),
    steps("- run: |\n          git checkout ${{ github.head_ref }}"),
    steps(
      "- uses: actions/github-script@v7\n        with:\n          script: core.info('${{ github.event.comment.body }}')",
    ),
    steps("- run: echo '${{ toJSON(github.event.commits[0].message) }}'"),
  ],
  ok: [
    steps('- run: echo "$TITLE"\n        env:\n          TITLE: ${{ github.event.issue.title }}'),
    steps("- run: echo ${{ github.event.issue.number }}"),
    steps("- run: echo ${{ contains(github.event.comment.body, '/deploy') }}"),
    steps("- run: echo ${{ github.event.pull_request.title == 'x' }}"),
    steps("- run: echo ${{ github.sha }} ${{ github.event.pull_request.head.sha }}"),
    steps("- if: github.event.issue.title == 'x'\n        run: make"),
    steps("- run: echo ${{ github.head_ref && 'pr' || 'push' }}"),
  ],
};

export const untrustedCheckout: Rule = {
  id: "gha/untrusted-checkout",
  title: "stranger's code run with the repository's rights",
  category: "security",
  severity: "critical",
  cwe: 829,
  message:
    "This checks out the pull request's own code on `{trigger}`, which has the repository's secrets and write token.",
  why: "Anybody can open a pull request, and so run code of theirs with those rights.",
  advice: "Build and test on `pull_request`, and do here only what never runs that code.",
  placement: "inline",
  bad: [
    workflow(
      "on: pull_request_target\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n        with:\n          ref: ${{ github.event.pull_request.head.sha }}\n      - run: npm ci && npm test\n",
    ),
    workflow(
      "on: pull_request_target\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: git fetch origin pull/${{ github.event.number }}/head:pr && git checkout pr\n      - run: make test\n",
    ),
  ],
  ok: [
    workflow(
      "on: pull_request\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n        with:\n          ref: ${{ github.event.pull_request.head.sha }}\n      - run: npm test\n",
    ),
    workflow(
      "on: pull_request_target\njobs:\n  size:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: git fetch origin pull/${{ github.event.number }}/head:pr && git diff --stat pr\n",
    ),
    workflow(
      "on: pull_request_target\njobs:\n  label:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: ./label.sh\n",
    ),
    workflow(
      "on: pull_request_target\njobs:\n  test:\n    if: github.event.pull_request.head.repo.full_name == github.repository\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n        with:\n          ref: ${{ github.head_ref }}\n      - run: make\n",
    ),
    workflow(
      "on: pull_request_target\njobs:\n  read:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n        with:\n          ref: ${{ github.event.pull_request.head.sha }}\n      - uses: actions/labeler@v5\n",
    ),
  ],
};

export const unpinnedAction: Rule = {
  id: "gha/unpinned-action",
  title: "action taken from a branch",
  category: "dependency",
  severity: "medium",
  cwe: 829,
  message: "`{action}` is whatever that branch holds at the time.",
  why: "Whoever can push there, or takes that account over, runs code in this repository with its secrets.",
  advice: "Pin it to a commit, with the version in a comment behind it.",
  placement: "inline",
  bad: [steps("- uses: acme/deploy@main"), steps("- uses: acme/tools/lint@master")],
  ok: [
    steps("- uses: acme/deploy@v2"),
    steps(`- uses: acme/deploy@${"0a".repeat(20)} # v2.1.0`),
    steps("- uses: actions/checkout@main"),
    steps("- uses: ./.github/actions/deploy"),
    steps("- uses: docker://alpine:3.19"),
    workflow(
      "on: push\njobs:\n  build:\n    uses: acme/.github/.github/workflows/build.yml@main\n    secrets: inherit\n",
    ),
    steps("- uses: google/oss-fuzz/infra/cifuzz/actions/build_fuzzers@master"),
    steps("- uses: acme/deploy@mainline-1.2.3"),
  ],
};

export const actionByTag: Rule = {
  id: "gha/action-by-tag",
  title: "action pinned to a tag where the others are pinned to commits",
  category: "dependency",
  severity: "low",
  cwe: 829,
  message: "`{action}` is named by a tag, while this file pins others to commits.",
  why: "A tag can be moved to other code at any time; that happened to widely used actions.",
  advice: "Pin it to a commit as well, with the version in a comment behind it.",
  placement: "inline",
  bad: [steps(`- uses: acme/build@${"0a".repeat(20)} # v3\n      - uses: acme/deploy@v2`)],
  ok: [
    steps("- uses: acme/build@v3\n      - uses: acme/deploy@v2"),
    steps(`- uses: acme/build@${"0a".repeat(20)} # v3\n      - uses: actions/checkout@v4`),
    steps(`- uses: acme/build@${"0a".repeat(20)} # v3\n      - uses: ./deploy`),
    steps(`- uses: acme/build@${"0a".repeat(20)} # v3\n      - uses: dtolnay/rust-toolchain@stable`),
  ],
};

export const writeAll: Rule = {
  id: "gha/write-all",
  title: "token with every permission",
  category: "security",
  severity: "high",
  cwe: 250,
  message: "The token may write everything.",
  why: "Any step, and any action that is taken over, can then change code, releases and settings.",
  advice: "List the permissions that are needed, job by job.",
  placement: "inline",
  bad: [
    workflow(
      "on: push\npermissions: write-all\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make\n",
    ),
  ],
  ok: [
    workflow(
      "on: push\npermissions: read-all\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make\n",
    ),
    workflow(
      "on: push\npermissions:\n  contents: read\njobs:\n  a:\n    permissions:\n      contents: write\n    runs-on: ubuntu-latest\n    steps:\n      - run: make\n",
    ),
  ],
};

const reading = "on: push\npermissions:\n  contents: read\n";
const twoJobs =
  "jobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make\n  b:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make\n";

export const widenedPermission: Rule = {
  id: "gha/widened-permission",
  title: "every job's token widened",
  category: "security",
  severity: "medium",
  cwe: 250,
  message: "This gives every job of the workflow `{scope}: write`.",
  why: "The jobs that do not need it then hold a token that can do more damage when one of their steps is taken over.",
  advice: "Set it under the `permissions` of the one job that needs it.",
  placement: "inline",
  bad: [
    changed(
      ".github/workflows/ci.yml",
      `${reading}${twoJobs}`,
      `${reading.replace("contents: read", "contents: write")}${twoJobs}`,
    ),
  ],
  ok: [
    changed(
      ".github/workflows/ci.yml",
      `${reading}${twoJobs}`,
      `${reading}${twoJobs.replace("  b:\n", "  b:\n    permissions:\n      contents: write\n")}`,
    ),
    newFile(".github/workflows/ci.yml", `${reading.replace("read", "write")}${twoJobs}`),
    changed(
      ".github/workflows/ci.yml",
      `${reading.replace("contents: read", "contents: write")}${twoJobs}`,
      `${reading.replace("contents: read", "contents: write # releases")}${twoJobs}`,
    ),
  ],
};

export const printedSecret: Rule = {
  id: "gha/printed-secret",
  title: "secret in the log",
  category: "security",
  severity: "medium",
  cwe: 532,
  message: "`{secret}` is printed to the log in a form that is not masked.",
  why: "GitHub hides a secret only where it stands unchanged; encoded or cut, everyone who can read the log can read it.",
  advice: "Do not print it, or write it to a file that is not uploaded.",
  placement: "inline",
  bad: [
    steps("- run: echo ${{ secrets.DEPLOY_KEY }} | base64"),
    steps("- run: echo '${{ toJSON(secrets) }}' | rev"),
  ],
  ok: [
    steps("- run: echo ${{ secrets.DEPLOY_KEY }} | base64 > key"),
    steps("- run: echo ${{ secrets.DEPLOY_KEY }} | base64 --decode > key"),
    steps("- run: echo ${{ secrets.DEPLOY_KEY }} | docker login --password-stdin"),
    steps("- run: KEY=$(echo ${{ secrets.DEPLOY_KEY }} | base64)"),
    steps("- run: echo ${{ secrets.DEPLOY_KEY }} | base64 -d | tar x"),
  ],
};

export const selfHostedForStrangers: Rule = {
  id: "gha/self-hosted-pull-request",
  title: "pull requests on a machine of one's own",
  category: "security",
  severity: "medium",
  cwe: 829,
  message: "Pull requests run on a self-hosted machine here.",
  why: "In a public repository anybody can open one, run code on that machine, and leave something behind for later jobs.",
  advice: "Use GitHub's machines for pull requests, or ones that are thrown away after each job.",
  placement: "summary",
  bad: [
    workflow(
      "on: pull_request\njobs:\n  a:\n    runs-on: [self-hosted, linux]\n    steps:\n      - run: make\n",
    ),
  ],
  ok: [
    workflow("on: push\njobs:\n  a:\n    runs-on: self-hosted\n    steps:\n      - run: make\n"),
    workflow("on: pull_request\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make\n"),
  ],
};

export const unsafeCommands: Rule = {
  id: "gha/unsafe-commands",
  title: "log commands allowed to set variables",
  category: "security",
  severity: "high",
  cwe: 77,
  message: "This lets anything that is printed set variables and the path.",
  why: "A file name or a test's output that contains `::set-env` then decides what later steps run.",
  advice: "Delete it and write to `$GITHUB_ENV` and `$GITHUB_PATH`.",
  placement: "inline",
  bad: [steps("- run: make\n        env:\n          ACTIONS_ALLOW_UNSECURE_COMMANDS: true")],
  ok: [
    steps("- run: make\n        env:\n          ACTIONS_ALLOW_UNSECURE_COMMANDS: false"),
    steps("- run: echo A=b >> $GITHUB_ENV"),
  ],
};

function steps(text: string): Example {
  return workflow(
    `on: [issues, pull_request]\njobs:\n  build:\n    runs-on: ubuntu-latest\n    steps:\n      ${text}\n`,
  );
}

function workflow(text: string): Example {
  return newFile(".github/workflows/ci.yml", text);
}
