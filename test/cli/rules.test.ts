/** The rules at a terminal: reading them, testing one's own, putting it to use. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { install } from "./plumbline.ts";

setDefaultTimeout(60_000);

const noFetch = `id: acme/no-fetch
title: fetch used directly
languages: [javascript, typescript]
category: maintainability
severity: low
message: "\`{URL}\` is fetched directly."
why: Our client adds the trace header.
advice: Use \`client.get\`.
rule:
  pattern: fetch($URL)
bad:
  - fetch(url)
ok:
  - client.get(url)
  - cache.fetch(url)
`;

describe("the rules", () => {
  test("are listed by language, category and severity", async () => {
    await using plumbline = await install();
    await plumbline.setsUp();
    const list = async (...filter: string[]) =>
      JSON.parse(await plumbline.answer("rules", "list", "--json", ...filter)) as Record<string, unknown>[];

    const all = await list();
    expect(all.length).toBeGreaterThan(150);
    const chosen = await list("--language", "python", "--category", "security", "--severity", "critical");
    expect(chosen.length).toBeGreaterThan(0);
    for (const rule of chosen) {
      expect(rule).toMatchObject({ category: "security", severity: "critical", source: "built-in" });
      expect(rule.languages).toContain("python");
    }
    expect(await plumbline.answer("rules", "list", "--language", "ruby")).toContain("rb/debugger");
  });

  test("are explained one by one, on a machine without an installation too", async () => {
    await using plumbline = await install();
    const page = await plumbline.answer("rules", "show", "js/eval");
    for (const part of ["js/eval", "high · security · CWE-95", "Comments on", "Leaves alone"]) {
      expect(page).toContain(part);
    }
    expect(page).toContain("plumbline-ignore: js/eval <reason>");
    expect(await Bun.file(`${plumbline.dataDir}/plumbline.db`).exists()).toBe(false);
    expect(JSON.parse(await plumbline.answer("rules", "show", "js/eval", "--json"))).toMatchObject({
      id: "js/eval",
      cwe: 95,
    });
  });

  test("that do not exist are not shown", async () => {
    await using plumbline = await install();
    await plumbline.setsUp();
    expect(await plumbline.run("rules", "show", "js/evil")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: "plumbline: There is no rule js/evil.\n",
    });
    expect((await plumbline.run("rules", "show", "eval")).code).toBe(2);
  });
});

describe("a rule of one's own", () => {
  test("is tested by its examples, without an installation", async () => {
    await using plumbline = await install();
    const good = plumbline.file("no-fetch.yml", noFetch);
    expect(await plumbline.run("rules", "test", good)).toEqual({
      code: 0,
      stdout: `${good}: ok\n`,
      stderr: "",
    });

    const wrong = plumbline.file("wrong.yml", noFetch.replace("- cache.fetch(url)", "- fetch(cached)"));
    const failed = await plumbline.run("rules", "test", good, wrong);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toBe(
      [
        `${good}: ok`,
        `rule acme/no-fetch reports what is ok, as src/snippet.js (${wrong}:15)`,
        `rule acme/no-fetch reports what is ok, as src/snippet.ts (${wrong}:15)\n`,
      ].join("\n"),
    );
  });

  test.each([
    ["does not report its bad example", "- fetch(url)", "- get(url)", "does not report what is bad", 12],
    ["has a key that nobody knows", "severity: low", "severity: low\nfixx: a", "fixx", 6],
    ["does not compile", "pattern: fetch($URL)", "kind: fetch_call", "in javascript", 9],
  ])("that %s is refused with its line", async (_what, from, to, message, line) => {
    await using plumbline = await install();
    await plumbline.setsUp();
    const file = plumbline.file("no-fetch.yml", noFetch.replace(from, to));
    const refused = await plumbline.run("rules", "add", file);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("acme/no-fetch");
    expect(refused.stderr).toContain(message);
    expect(refused.stderr).toContain(`(no-fetch.yml:${line})`);
    expect(await plumbline.answer("rules", "list")).not.toContain("acme/no-fetch");
  });

  test("is added, listed, shown, replaced and removed", async () => {
    await using plumbline = await install();
    await plumbline.setsUp();
    const { answer } = plumbline;
    expect(await answer("rules", "add", plumbline.file("a.yml", noFetch))).toBe("acme/no-fetch");
    expect(await answer("rules", "list", "--category", "maintainability")).toContain("your own");
    const graver = plumbline.file("b.yml", noFetch.replace("severity: low", "severity: high"));
    expect(await answer("rules", "add", graver)).toBe("acme/no-fetch");
    expect(await answer("rules", "show", "acme/no-fetch")).toContain("high · maintainability");
    expect(await answer("rules", "remove", "acme/no-fetch")).toBe("acme/no-fetch");
    expect(await answer("rules", "list")).not.toContain("acme/no-fetch");
    expect((await plumbline.run("rules", "remove", "acme/no-fetch")).code).toBe(1);
  });

  test("with an id that a built-in one has is refused", async () => {
    await using plumbline = await install();
    await plumbline.setsUp();
    const file = plumbline.file("eval.yml", noFetch.replace("acme/no-fetch", "js/eval"));
    const refused = await plumbline.run("rules", "add", file);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("javascript/eval.yml has its id");
  });
});
