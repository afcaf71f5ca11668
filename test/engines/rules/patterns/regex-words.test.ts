import { describe, expect, test } from "bun:test";
import { wordsOfRegex } from "../../../../src/engines/rules/patterns/regex-words.ts";
import { areIn, narrowed, TextIndex } from "../../../../src/engines/rules/patterns/words.ts";

function mayMatch(regex: string, text: string): boolean {
  const index = new TextIndex(text);
  const words = narrowed(wordsOfRegex(regex), index);
  return words !== null && areIn(words, index, 0, text.length);
}

describe("what a regular expression needs", () => {
  test.each([
    ["^eval$", "exec", "eval"],
    ["^(system|popen)\\(", "printf(", "popen("],
    ["^os\\.(Chmod|Mkdir)$", "Chmod", "os.Chmod"],
    ["(?:verify)+ *= *False", "verify = True", "verify=False"],
    ["a{2}bcde[0-9]*", "aa", "aabcde"],
  ])("%s cannot match %s", (regex, without, having) => {
    expect(mayMatch(regex, without)).toBe(false);
    expect(mayMatch(regex, having)).toBe(true);
  });

  test.each([
    ["^(secret)?name$", "name"],
    ["colou?red", "colored"],
    ["(?i)password", "PassWord"],
    ["(?x) pass  word", "password"],
    ["abc|[def]", "d"],
    ["[[:alpha:]abc]xyz", "_"],
    ["\\x61bcd", "abcd"],
    ["(abc){0,2}", ""],
    ["(abc)*", ""],
    ["\\Qabc\\E", "anything"],
  ])("%s may match %s", (regex, text) => {
    expect(mayMatch(regex, text)).toBe(true);
  });
});
