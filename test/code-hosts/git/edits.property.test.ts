/** Whatever people do to files, the parsed diff played back on the base gives the head. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { createGitHost } from "../../../src/code-hosts/git/git.ts";
import { aRepository, type Files } from "../../support/git-repository.ts";
import { applyHunks, linesOf } from "./apply-hunks.ts";
import { silentLogger } from "./silent-logger.ts";

const never = new AbortController().signal;

/** Lines that look like something else to a careless parser. */
const trap = fc.constantFrom(
  "",
  " ",
  "--- a/other.ts",
  "+++ b/other.ts",
  "-- ",
  "++i;",
  "@@ -1,2 +1,2 @@",
  "@@@",
  "diff --git a/x b/x",
  "index 1234567..89abcde 100644",
  "\\ No newline at end of file",
  "Binary files a/x and b/x differ",
  "rename from x",
  "new file mode 100755",
  "Index: x",
  "===================================================================",
  "\u2028",
  "\ufeffbom",
  "carriage\rreturn",
  "\f\v\u0085",
);
const line = fc.oneof(trap, fc.string({ unit: "grapheme", maxLength: 12 }), fc.constantFrom("a", "b", "c"));
const safeLine = line.map((text) => text.replaceAll(/[\n\0]/g, "").toWellFormed());

const ending = fc.constantFrom("\n", "\r\n");
const contents = fc
  .record({ lines: fc.array(safeLine, { maxLength: 40 }), ending, final: fc.boolean() })
  .map(({ lines, ending, final }) => lines.join(ending) + (final && lines.length > 0 ? ending : ""));

/** Removes, replaces and inserts runs of lines, and may change how lines end. */
const edit = fc.record({
  before: contents,
  splices: fc.array(
    fc.record({ at: fc.nat(40), remove: fc.nat(5), insert: fc.array(safeLine, { maxLength: 5 }) }),
    { maxLength: 4 },
  ),
  ending,
  final: fc.boolean(),
});
const change = edit.map(({ before, splices, ending, final }) => {
  const lines = linesOf(before);
  for (const { at, remove, insert } of splices) lines.splice(at, remove, ...insert);
  return { before, after: lines.join(ending) + (final && lines.length > 0 ? ending : "") };
});
const fate = fc.oneof(
  { weight: 8, arbitrary: change },
  { weight: 1, arbitrary: contents.map((after) => ({ before: null, after })) },
  { weight: 1, arbitrary: contents.map((before) => ({ before, after: null })) },
);

describe("the diff of a pull request", () => {
  const folder = mkdtemp(join(tmpdir(), "plumbline-edits-"));
  afterAll(async () => rm(await folder, { recursive: true, force: true }));

  test("gives the head when it is played back on the base", async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fate, { minLength: 20, maxLength: 60 }), async (fates) => {
        run += 1;
        const root = join(await folder, String(run));
        const side = (of: "before" | "after"): Files =>
          Object.fromEntries(fates.map((fate, index) => [`file ${index}.txt`, fate[of]]));
        await using repository = await aRepository()
          .commit({ ...side("before"), keep: "" })
          .pullRequest(1, side("after"))
          .create("acme/shop", { root });
        await expectDiffToFit(repository.urlTemplate, join(root, "cache"), fates);
      }),
      { numRuns: 12 },
    );
  }, 30_000);
});

async function expectDiffToFit(
  urlTemplate: string,
  cacheDir: string,
  fates: readonly { before: string | null; after: string | null }[],
): Promise<void> {
  const options = { name: "local", urlTemplate, webUrl: null, settings: {}, cacheDir, logger: silentLogger };
  const host = createGitHost(options);
  const pr = await host.getPullRequest({ repository: "acme/shop", number: 1 }, never);
  const { files } = await host.getDiff(pr, never);
  await host.close();

  const fateOf = (path: string) => fates[Number(/\d+/.exec(path)?.[0])];
  const settled = new Set<string>();
  for (const file of files) {
    const before = fateOf(file.oldPath ?? file.path)?.before ?? "";
    const after = file.change === "deleted" ? "" : (fateOf(file.path)?.after ?? "");
    expect(file).toMatchObject({ content: "text", omitted: null });
    expect(applyHunks(linesOf(before), file.hunks)).toEqual(linesOf(after));
    const lines = file.hunks.flatMap((hunk) => hunk.lines);
    expect(lines.filter(({ kind }) => kind === "added").length).toBe(file.additions);
    expect(lines.filter(({ kind }) => kind === "removed").length).toBe(file.deletions);
    settled.add(file.path);
    if (file.change === "renamed" && file.oldPath !== null) settled.add(file.oldPath);
  }
  const changed = fates.flatMap(({ before, after }, index) =>
    before === after ? [] : [`file ${index}.txt`],
  );
  expect([...settled].sort()).toEqual(changed.sort());
}
