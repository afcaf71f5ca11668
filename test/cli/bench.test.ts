/** The quality bench that everybody can run. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { install } from "./plumbline.ts";

setDefaultTimeout(60_000);

test("the built-in cases of a language are reviewed and counted, without an installation", async () => {
  await using plumbline = await install();
  const { code, stdout, stderr } = await plumbline.run("bench", "--only", "php/");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^CASES +NUMBER +PASSED +EXPECTED +FOUND +FALSE ALARMS\nphp +(\d+) +\1 /);

  const document = JSON.parse(await plumbline.answer("bench", "--only", "php/", "--json"));
  expect(document).toMatchObject({ false_alarms: 0, failed: [] });
  expect(document.cases).toBeGreaterThan(0);
  expect(document.passed).toBe(document.cases);
});

test("cases that do not exist are asked for in vain", async () => {
  await using plumbline = await install();
  const { code, stdout, stderr } = await plumbline.run("bench", "--only", "cobol/");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("no case has a name that begins with cobol/");
});
