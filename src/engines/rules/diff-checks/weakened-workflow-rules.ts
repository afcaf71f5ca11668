// biome-ignore-all lint/suspicious/noTemplateCurlyInString: GitHub's expressions look like that.
/** Rules about workflows that became weaker. */
import { changed, type Example, type Rule } from "../rule.ts";

const path = ".github/workflows/ci.yml";
const start = "jobs:\n  build:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n";

function steps(before: string, after: string): Example {
  return changed(path, `on: push\n${start}${before}`, `on: push\n${start}${after}`);
}

export const secretForStrangers: Rule = {
  id: "gha/secret-for-strangers",
  title: "secret in a workflow that strangers start",
  category: "security",
  severity: "medium",
  cwe: 522,
  message: "`secrets.{secret}` is now at hand in a workflow that anybody can start (`{trigger}`).",
  why: "One step that reads what the stranger wrote is then enough to lose it.",
  advice:
    "Do what needs the secret in a workflow of its own that runs on `push`, or behind an environment with reviewers.",
  placement: "summary",
  bad: [
    changed(
      path,
      `on: pull_request_target\n${start}      - run: ./label.sh\n`,
      `on: pull_request_target\n${start}      - run: ./label.sh \${{ secrets.DEPLOY_KEY }}\n`,
    ),
    changed(
      path,
      `on:\n  push:\n${start}      - run: ./a.sh \${{ secrets.DEPLOY_KEY }}\n`,
      `on:\n  push:\n  pull_request_target:\n${start}      - run: ./a.sh \${{ secrets.DEPLOY_KEY }}\n`,
    ),
  ],
  ok: [
    changed(
      path,
      `on: pull_request\n${start}      - run: ./a.sh\n`,
      `on: pull_request\n${start}      - run: ./a.sh \${{ secrets.DEPLOY_KEY }}\n`,
    ),
    changed(
      path,
      `on: pull_request_target\n${start}      - run: ./a.sh\n`,
      `on: pull_request_target\n${start}      - run: ./a.sh \${{ secrets.GITHUB_TOKEN }}\n`,
    ),
  ],
};

export const failureIgnored: Rule = {
  id: "gha/failure-ignored",
  title: "failure of a step ignored",
  category: "testing",
  severity: "low",
  cwe: null,
  message: "`{name}` may fail now without anybody noticing.",
  why: "The run stays green, and what the step was there to find goes in.",
  advice: "Mend what fails, or say beside it until when the failure is accepted.",
  placement: "summary",
  bad: [
    steps(
      "      - name: Lint\n        run: make lint\n",
      "      - name: Lint\n        continue-on-error: true\n        run: make lint\n",
    ),
  ],
  ok: [
    steps("", "      - name: Notify\n        continue-on-error: true\n        run: ./notify.sh\n"),
    steps(
      "      - name: Lint\n        continue-on-error: true\n        run: make lint\n",
      "      - name: Lint\n        run: make lint\n",
    ),
  ],
};

export const checkRemoved: Rule = {
  id: "gha/check-removed",
  title: "test, lint or scan removed from a workflow",
  category: "testing",
  severity: "medium",
  cwe: null,
  message: "`{name}` no longer runs in this workflow, nor in another one that changes here.",
  why: "What it would have found goes in unseen.",
  advice: "Restore it, or say in the pull request what does its work.",
  placement: "summary",
  bad: [
    steps("      - run: make lint\n      - run: make build\n", "      - run: make build\n"),
    changed(
      path,
      `on: push\n${start}      - run: make\n  scan:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: acme/scan@v1\n`,
      `on: push\n${start}      - run: make\n`,
    ),
  ],
  ok: [
    steps("      - run: make lint\n", "      - name: Lint\n        run: make lint\n"),
    steps("      - run: npm test\n", "      - run: npm test -- --coverage\n"),
    steps("      - run: make build\n      - run: ./notify.sh\n", "      - run: make build\n"),
    {
      ...steps("      - run: make lint\n      - run: make\n", "      - run: make\n"),
      alongside: {
        ".github/workflows/lint.yml": { before: null, after: `on: push\n${start}      - run: make lint\n` },
      },
    },
  ],
};
