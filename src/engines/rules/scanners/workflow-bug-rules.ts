// biome-ignore-all lint/suspicious/noTemplateCurlyInString: GitHub's expressions look like that.
/** Rules about workflows that do not run, or run when they should not. */
import { type Example, newFile, type Rule } from "../rule.ts";

export const alwaysTrue: Rule = {
  id: "gha/condition-always-true",
  title: "condition that is always true",
  category: "bug",
  severity: "high",
  cwe: 571,
  message: "This condition is always true.",
  why: "What stands outside of `${{ }}` makes it a text, and every text that is not empty counts as true.",
  advice: "Put the whole condition inside one `${{ }}`, or write it without the braces.",
  placement: "inline",
  bad: [
    steps("- if: ${{ github.ref == 'refs/heads/main' }} && success()\n        run: make"),
    steps("- if: \"${{ env.A == 'b' }} || ${{ env.C == 'd' }}\"\n        run: make"),
    steps("- if: |\n          ${{ github.ref == 'refs/heads/main' }}\n        run: make"),
  ],
  ok: [
    steps("- if: ${{ github.ref == 'refs/heads/main' }}\n        run: make"),
    steps("- if: github.ref == 'refs/heads/main' && success()\n        run: make"),
    steps("- if: \"!contains(github.event.head_commit.message, '[skip]')\"\n        run: make"),
    steps("- if: |\n          github.ref == 'refs/heads/main' &&\n          success()\n        run: make"),
    steps("- if: >-\n          ${{ github.ref == 'refs/heads/main' }}\n        run: make"),
    steps("- run: echo ${{ github.ref }} && make"),
    steps("- if: success()\n        run: make"),
  ],
};

export const unknownNeed: Rule = {
  id: "gha/unknown-need",
  title: "job that needs one that is not there",
  category: "bug",
  severity: "high",
  cwe: null,
  message: "No job of this workflow is called `{name}`.",
  why: "GitHub refuses the whole workflow, so none of its jobs run.",
  advice: "Correct the name under `needs`.",
  placement: "inline",
  bad: [
    jobs(
      "  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make\n  b:\n    needs: [a, biuld]\n    runs-on: ubuntu-latest\n    steps:\n      - run: make\n",
    ),
  ],
  ok: [
    jobs(
      "  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make\n  b:\n    needs: a\n    runs-on: ubuntu-latest\n    steps:\n      - run: make\n",
    ),
  ],
};

export const unknownStep: Rule = {
  id: "gha/unknown-step",
  title: "output of a step that is not there",
  category: "bug",
  severity: "high",
  cwe: null,
  message: "No step of this job has the id `{name}`.",
  why: "The expression is then empty, without an error, and conditions on it are false.",
  advice: "Give the step this `id`, or correct the name.",
  placement: "inline",
  bad: [steps("- id: version\n        run: make\n      - run: echo ${{ steps.verison.outputs.tag }}")],
  ok: [
    steps("- id: version\n        run: make\n      - run: echo ${{ steps.version.outputs.tag }}"),
    steps("- id: a-b\n        run: make\n      - if: steps.a-b.outcome == 'failure'\n        run: make"),
    steps("- run: echo '${{ toJSON(steps) }}'"),
    steps("- id: Version\n        run: make\n      - run: echo ${{ steps.version.outputs.tag }}"),
  ],
};

export const unneededJob: Rule = {
  id: "gha/missing-need",
  title: "output of a job that is not waited for",
  category: "bug",
  severity: "high",
  cwe: null,
  message: "`{name}` is not among this job's `needs`.",
  why: "The expression is then empty, without an error.",
  advice: "Add the job to `needs`.",
  placement: "inline",
  bad: [
    jobs(
      "  a:\n    runs-on: ubuntu-latest\n    outputs:\n      tag: v1\n    steps:\n      - run: make\n  b:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ needs.a.outputs.tag }}\n",
    ),
  ],
  ok: [
    jobs(
      "  a:\n    runs-on: ubuntu-latest\n    outputs:\n      tag: v1\n    steps:\n      - run: make\n  b:\n    needs: [a]\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ needs.a.outputs.tag }}\n",
    ),
  ],
};

export const retiredAction: Rule = {
  id: "gha/retired-action",
  title: "action version that GitHub switched off",
  category: "bug",
  severity: "high",
  cwe: null,
  message: "GitHub switched `{action}` off.",
  why: "Every run fails at this step.",
  advice: "Use version 4 or later.",
  placement: "inline",
  bad: [steps("- uses: actions/upload-artifact@v3"), steps("- uses: actions/cache@v2")],
  ok: [
    steps("- uses: actions/upload-artifact@v4"),
    steps("- uses: actions/cache@v4.2.0"),
    steps("- uses: actions/checkout@v2"),
  ],
};

export const retiredRunner: Rule = {
  id: "gha/retired-runner",
  title: "machine image that GitHub removed",
  category: "bug",
  severity: "high",
  cwe: null,
  message: "GitHub removed the `{image}` machines.",
  why: "The job waits for one until it is canceled.",
  advice: "Use a current image.",
  placement: "inline",
  bad: [jobs("  a:\n    runs-on: ubuntu-20.04\n    steps:\n      - run: make\n")],
  ok: [
    jobs("  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: make\n"),
    jobs("  a:\n    runs-on: [self-hosted, ubuntu-20.04]\n    steps:\n      - run: make\n"),
    jobs("  a:\n    runs-on: ubuntu-latest\n    container: ubuntu:20.04\n    steps:\n      - run: make\n"),
  ],
};

export const disabledCommand: Rule = {
  id: "gha/disabled-command",
  title: "log command that GitHub switched off",
  category: "bug",
  severity: "high",
  cwe: null,
  message: "`::{command}` was switched off in favor of `{file}`.",
  why: "The step fails, or the variable is never set.",
  advice: "Append a line to that file instead.",
  placement: "inline",
  bad: [steps('- run: echo "::set-env name=A::b"')],
  ok: [steps('- run: echo "A=b" >> $GITHUB_ENV'), steps('- run: echo "::add-mask::$A"')],
};

function jobs(text: string): Example {
  return newFile(".github/workflows/ci.yml", `on: push\njobs:\n${text}`);
}

function steps(text: string): Example {
  return jobs(`  build:\n    runs-on: ubuntu-latest\n    steps:\n      ${text}\n`);
}
