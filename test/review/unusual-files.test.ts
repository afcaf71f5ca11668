/** Files that the summary names whatever stands in them. */
import { describe, expect, test } from "bun:test";
import type { DiffFile } from "../../src/domain/diff.ts";
import { unusualFiles } from "../../src/review/unusual-files.ts";
import { aPullRequest } from "../support/builders.ts";
import { reviewing } from "./reviewing.ts";

function changing(path: string, of: Partial<DiffFile> = {}, before = "a\n", after = "b\n"): DiffFile {
  const lines = (text: string) => text.trimEnd().split("\n");
  return {
    ...{ path, oldPath: null, change: "modified", content: "text", omitted: null },
    ...{ oldMode: "100644", newMode: "100644", additions: 1, deletions: 1 },
    hunks: [
      {
        ...{ oldStart: 1, oldLines: lines(before).length, newStart: 1, newLines: lines(after).length },
        lines: [
          ...lines(before).map((text, index) => ({ kind: "removed" as const, oldLine: index + 1, text })),
          ...lines(after).map((text, index) => ({ kind: "added" as const, newLine: index + 1, text })),
        ],
      },
    ],
    ...of,
  };
}

async function said(file: DiffFile, head = "b\n"): Promise<string | null> {
  const found = await unusualFiles({ files: [file] }, async () => new TextEncoder().encode(head));
  return found[0]?.what ?? null;
}

const link = (path: string, target: string) =>
  changing(path, { content: "symlink", newMode: "120000", change: "added" }, "", `${target}\n`);

describe("files out of the ordinary", () => {
  test("are those that say who owns code and how it may be used", async () => {
    expect(await said(changing(".github/CODEOWNERS"))).toBe("who has to agree to changes");
    expect(await said(changing("SECURITY.md"))).toBe("security policy or branch rules");
    expect(await said(changing("LICENSE"))).toBe("terms of use");
    expect(await said(changing("COPYING", { change: "deleted" }))).toBe("terms of use removed");
  });

  test("are not a licence's new year, a new licence, or files that are only named alike", async () => {
    expect(await said(changing("LICENSE", {}, "(c) 2025 Ada\n", "(c) 2026 Ada\n"))).toBeNull();
    expect(await said(changing("LICENSE", { change: "added" }))).toBeNull();
    expect(await said(changing("src/license.ts"))).toBeNull();
    expect(await said(changing("src/SECURITY.md"))).toBeNull();
  });

  test("are links that lead out of the repository", async () => {
    const what = "link that leads out of the repository";
    expect(await said(link("docs/readme", "/etc/passwd"))).toBe(what);
    expect(await said(link("docs/readme", "../../secrets"))).toBe(what);
    expect(await said(link("docs/readme", "../README.md"))).toBeNull();
    expect(await said(link("docs/readme", "a/../../b"))).toBeNull();
  });

  test("are text files made executable that do not say what runs them", async () => {
    const made = changing("run", { newMode: "100755" });
    expect(await said(made, "echo a\n")).toBe("executable now, without a first line that says what runs it");
    expect(await said(made, "#!/bin/sh\necho a\n")).toBeNull();
    expect(await said(changing("run", { oldMode: "100755", newMode: "100755" }), "echo a\n")).toBeNull();
  });

  test("are what was built or installed, not written", async () => {
    const binary = { change: "added", content: "binary", hunks: [] } as const;
    expect(await said(changing("lib/tool.jar", binary))).toBe("build output, which nobody can review");
    expect(await said(changing("lib/logo.png", binary))).toBeNull();
    expect(await said(changing("web/node_modules/a/index.js", { change: "added" }))).toBe(
      "belongs to an installation, not to the source",
    );
  });

  test("are named in the summary, by what they are", async () => {
    const { summary } = await reviewing(
      aPullRequest()
        .replacing("LICENSE", "a\n", "b\n")
        .replacing("web/LICENSE.txt", "a\n", "b\n")
        .adding("CODEOWNERS", "* @ada\n"),
    );
    expect(summary).toContain(
      "Out of the ordinary:\n- who has to agree to changes: `CODEOWNERS`\n- terms of use: `LICENSE` and `web/LICENSE.txt`",
    );
  });
});
