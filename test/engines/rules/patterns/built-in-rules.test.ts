import { expect, test } from "bun:test";
import { languages } from "../../../../src/engines/rules/languages.ts";
import { loadLanguage, parse } from "../../../../src/engines/rules/parser/syntax.ts";
import { builtInRules } from "../../../../src/engines/rules/patterns/built-in-rules.ts";
import { builtInSources } from "../../../../src/engines/rules/patterns/built-in-sources.ts";

test("every rule file became a rule", () => {
  const paths = builtInRules().map(({ source }) => source.path);
  expect(paths).toEqual(builtInSources().map(({ path }) => path));
});

test.each([...languages])("every rule for %s compiles", async (language) => {
  await loadLanguage(language);
  const empty = parse(language, "");
  for (const rule of builtInRules().filter((one) => one.languages.includes(language))) {
    expect({ rule: rule.id, matches: empty.matches(rule.matcher, []) }).toEqual({
      rule: rule.id,
      matches: [],
    });
  }
});
