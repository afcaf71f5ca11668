/** The demonstration, as `./install.sh demo --once` runs it. */
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { theExecutable } from "./support/executable.ts";

const demo = join(import.meta.dir, "../scripts/demo.ts");

describe("the demo", () => {
  let shown: Outcome;

  beforeAll(async () => {
    shown = await show(await theExecutable());
  });

  test("ends well, and leaves nothing behind", () => {
    expect(shown.complaint).toBe("");
    expect(shown.exitCode).toBe(0);
    expect(shown.left).toEqual([]);
  });

  test("shows the commands of the set-up, the progress and how to go on", () => {
    for (const text of [
      "plumbline setup",
      "plumbline keys create",
      "plumbline hosts add git",
      "plumbline repos enable",
    ]) {
      expect(shown.output).toContain(text);
    }
    expect(shown.output).toMatch(/rev_\w+ is processing\n[\s\S]*rev_\w+ is completed\n/);
    expect(shown.output).toMatch(/http:\/\/127\.0\.0\.1:\d+\/swagger/);
    expect(shown.output).toMatch(/curl -s -H 'Authorization: Bearer plk_\w+' http/);
  });

  test("finds what a reviewer would find, in every language of the sample", () => {
    const commented = [...shown.output.matchAll(/^(\S+):(\d+) {2}\w+ \w+$/gm)].map(([, path]) => path);
    expect(commented).toEqual(
      expect.arrayContaining([
        ...["src/payments.ts", "src/orders.ts", "src/voucher.ts"],
        ...["importer/import_prices.py", "stock/main.go", "config/shipping.yml"],
      ]),
    );
  });

  test("says nothing about the clean changes, and says that the lock file was not read", () => {
    expect(shown.output).not.toMatch(/^(README\.md|src\/money\.ts|package\.json):/m);
    expect(shown.output).toContain("lock file: `package-lock.json`");
  });

  test("names the cause when the server does not start", async () => {
    const failed = await show("/bin/false");
    expect(failed.exitCode).toBe(1);
    expect(failed.complaint).toContain("The server ended with exit code 1");
    expect(failed.left).toEqual([]);
  });
});

interface Outcome {
  exitCode: number;
  output: string;
  complaint: string;
  /** In the temporary folder. */
  left: string[];
}

async function show(executable: string): Promise<Outcome> {
  const temporary = await mkdtemp(join(tmpdir(), "plumbline-demo-test-"));
  const child = Bun.spawn([process.execPath, demo, "--once", "--executable", executable], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, complaint, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  const left = await readdir(temporary);
  await rm(temporary, { recursive: true, force: true });
  return { exitCode, output, complaint, left };
}
