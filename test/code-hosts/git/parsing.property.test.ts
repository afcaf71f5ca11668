/** Cutting and naming, for any bytes. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createAssembly } from "../../../src/code-hosts/git/diff-assembly.ts";
import { defaultGitLimits } from "../../../src/code-hosts/git/limits.ts";
import { displayName } from "../../../src/code-hosts/git/names.ts";
import { createSectionSplitter } from "../../../src/code-hosts/git/sections.ts";
import { parseHunks } from "../../../src/code-hosts/patch.ts";

describe("cutting a patch into files", () => {
  const line = fc.oneof(
    fc.constantFrom(
      "+diff --git a/x b/x",
      " diff --git ",
      "-",
      "@@ -1 +1 @@",
      "diff -r",
      "\\ No newline at end of file",
    ),
    fc.string({ maxLength: 8 }).map((text) => ` ${text.replaceAll("\n", "")}`),
  );
  const section = fc
    .array(line, { maxLength: 6 })
    .map((lines) => `diff --git a/f b/f\n${lines.map((text) => `${text}\n`).join("")}`);

  test("gives the same files wherever the pieces of output end", () => {
    fc.assert(
      fc.property(
        fc.array(section, { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 30 })),
        (sections, sizes) => {
          expect(cut(sections.join(""), sizes, 1_000_000)).toEqual(sections);
        },
      ),
    );
  });

  test("drops a file that is too long and no other", () => {
    fc.assert(
      fc.property(
        fc.array(section, { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 30 })),
        (sections, sizes) => {
          const kept = sections.map((text) => (Buffer.byteLength(text) > 40 ? null : text));
          expect(cut(sections.join(""), sizes, 40)).toEqual(kept);
        },
      ),
    );
  });

  function cut(patch: string, sizes: readonly number[], bytesMax: number): (string | null)[] {
    const splitter = createSectionSplitter(bytesMax);
    const bytes = Buffer.from(patch);
    const sections = [];
    let at = 0;
    for (const size of [...sizes, bytes.length]) {
      sections.push(...splitter.push(bytes.subarray(at, at + size)));
      at += size;
    }
    sections.push(...splitter.end());
    return sections.map((section) => section?.toString() ?? null);
  }
});

describe("the name of a file", () => {
  test("is itself when it is UTF-8", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        expect(displayName(Buffer.from(name.toWellFormed()))).toBe(name.toWellFormed());
      }),
    );
  });

  test("shows every byte that is none, and the rest as it is", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        const shown = displayName(bytes);
        const back = shown.replaceAll(/\\x([0-9A-F]{2})/g, (_, hex: string) =>
          String.fromCodePoint(0xf0000 + Number.parseInt(hex, 16)),
        );
        const restored = [...back].flatMap((character) => {
          const point = character.codePointAt(0) ?? 0;
          return point >= 0xf0000 && point <= 0xf00ff ? [point - 0xf0000] : [...Buffer.from(character)];
        });
        expect(restored).toEqual([...bytes]);
      }),
    );
    expect(displayName(Buffer.from([0x61, 0xe9, 0xc3, 0xa9, 0xff, 0xf0, 0x9f]))).toBe(
      "a\\xE9é\\xFF\\xF0\\x9F",
    );
  });
});

describe("the hunks of a patch", () => {
  test("are read from bare hunks too, as some hosts send them", () => {
    expect(parseHunks("@@ -0,0 +1,2 @@\n+a\r\n+b\n\\ No newline at end of file\n")).toEqual([
      {
        oldStart: 1,
        oldLines: 0,
        newStart: 1,
        newLines: 2,
        lines: [
          { kind: "added", newLine: 1, text: "a" },
          { kind: "added", newLine: 2, text: "b" },
        ],
      },
    ]);
  });

  test("are refused when they are cut short", () => {
    expect(() => parseHunks("@@ -1,3 +1,3 @@\n a\n+b\n")).toThrow();
  });

  test("that cannot be read are said to be missing, and those of the next file are read", () => {
    const file = {
      path: "a",
      oldPath: null,
      change: "modified",
      content: "text",
      oldMode: "100644",
      newMode: "100644",
    } as const;
    const counts = { additions: 1, deletions: 0 };
    const assembly = createAssembly(
      [
        { ...file, ...counts },
        { ...file, ...counts, path: "b" },
      ],
      defaultGitLimits,
    );
    assembly.add(Buffer.from("diff --git a/a b/a\n@@ -1,9 +1,9 @@\n+x\n"));
    assembly.add(Buffer.from("diff --git a/b b/b\n@@ -0,0 +1 @@\n+x\n"));
    expect(assembly.finish()).toMatchObject([
      { path: "a", hunks: [], omitted: expect.stringContaining("could not be parsed") },
      { path: "b", omitted: null, hunks: [{ newStart: 1 }] },
    ]);
  });
});
