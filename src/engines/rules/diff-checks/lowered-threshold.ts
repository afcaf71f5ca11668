/** A share of covered code that tests have to reach, lowered. */
import { changed, type Rule } from "../rule.ts";
import { type Exchange, exchangeOf } from "./exchange.ts";
import type { RemovalCheck } from "./removal.ts";

const coverageLowered: Rule = {
  id: "any/coverage-threshold-lowered",
  title: "coverage threshold lowered",
  category: "testing",
  severity: "low",
  cwe: null,
  message: "The coverage that tests have to reach goes down from {before} to {after}.",
  why: "The code that made it fall stays untested, and the next fall starts from there.",
  advice: "Test the new code, or say in the pull request why it cannot be.",
  placement: "summary",
  bad: [
    changed(
      "pyproject.toml",
      "[tool.coverage.report]\nfail_under = 90\n",
      "[tool.coverage.report]\nfail_under = 85\n",
    ),
    changed(
      "vitest.config.ts",
      "export default { test: { coverage: { thresholds: { branches: 80 } } } };\n",
      "export default { test: { coverage: { thresholds: { branches: 60 } } } };\n",
    ),
    changed(
      ".github/workflows/ci.yml",
      "run: pytest --cov-fail-under=90\n",
      "run: pytest --cov-fail-under=80\n",
    ),
  ],
  ok: [
    changed("pyproject.toml", "fail_under = 85\n", "fail_under = 90\n"),
    changed("src/tree.ts", "const shape = { branches: 80 };\n", "const shape = { branches: 60 };\n"),
  ],
};

const named = /^["']?(?:fail_?under|minimum_?coverage|coverage_?threshold\w*|cov_?fail_?under)["']?$/i;
const measured = /^["']?(?:branches|functions|lines|statements|target|threshold|minimum)["']?$/i;
const coverageSettings =
  /(?:^|\/)(?:(?:jest|vitest|vite|nyc|karma)\.[\w.]*config\.\w+|\.?nycrc[\w.]*|\.?codecov\.ya?ml|\.coveragerc|package\.json)$|jacoco/i;

export const loweredThresholds: RemovalCheck = {
  rules: [coverageLowered],
  find(removal) {
    const exchange = exchangeOf(removal);
    if (exchange === null || !isThreshold(exchange, removal.file.path)) return null;
    const { before, after, line } = exchange;
    if (!(Number(after) < Number(before))) return null;
    return { rule: coverageLowered, oldLine: line, values: { before, after }, movedWith: [] };
  },
};

function isThreshold({ lead }: Exchange, path: string): boolean {
  const words = lead.slice(-7).map(({ text }) => text);
  const joined = words.join("").replace(/[-=:]/g, "_");
  if (words.some((word) => named.test(word)) || /cov_fail_under_$/.test(joined)) return true;
  return coverageSettings.test(path) && measured.test(words.at(-2) ?? "");
}
