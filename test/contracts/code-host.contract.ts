/** What every code host promises (src/domain/code-host.ts). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { CodeHost } from "../../src/domain/code-host.ts";
import { addedLines, type DiffFile } from "../../src/domain/diff.ts";
import type { PullRequestRef } from "../../src/domain/pull-request.ts";
import { ReviewFailed } from "../../src/domain/review.ts";

/** All the files of one side, by path; text or, for binary files, bytes. */
export type FilesOfSide = Readonly<Record<string, string | Uint8Array>>;

export interface PullRequestToOpen extends PullRequestRef {
  title: string;
  base: FilesOfSide;
  head: FilesOfSide;
}

/** A code host and the other end of it: what people do there. */
export interface CodeHostSubject {
  host: CodeHost;
  /** Opens the pull request, or replaces its head. */
  opens(pullRequest: PullRequestToOpen): Promise<void> | void;
  /** After it the pull request can no longer be found. */
  removes(ref: PullRequestRef): Promise<void> | void;
  stop(): Promise<void>;
}

const cart = { repository: "acme/shop", number: 7, title: "Count the cart" };
const base = {
  "src/cart.ts": "const a = 1;\nconst b = 2;\nconst c = 3;\n",
  "src/old.ts": "gone();\n",
  "docs/read me.md": "Hello\n",
};
const head = {
  "src/cart.ts": "const a = 1;\nconst b = 20;\nconst c = 3;\nconst d = 4;\n",
  "src/new.ts": "first();\nsecond();\n",
  "docs/read me.md": "Hello\n",
  "logo.png": new Uint8Array([137, 80, 78, 71, 0, 1, 2, 3]),
};

const never = new AbortController().signal;

export function codeHostContract(name: string, start: () => Promise<CodeHostSubject>): void {
  describe(`the code host ${name}`, () => {
    let subject: CodeHostSubject;
    beforeAll(async () => {
      subject = await start();
      await subject.opens({ ...cart, base, head });
    });
    afterAll(() => subject.stop());

    const openCart = () => subject.host.getPullRequest(cart, never);
    const fileOfCart = async (path: string): Promise<DiffFile | undefined> => {
      const { files } = await subject.host.getDiff(await openCart(), never);
      return files.find((file) => file.path === path);
    };

    test("describes a pull request by its commits and its title", async () => {
      const pr = await openCart();
      expect(pr).toMatchObject({ repository: "acme/shop", number: 7, title: "Count the cart" });
      expect([pr.headSha, pr.baseSha]).toEqual([
        expect.stringMatching(/^[0-9a-f]{40,64}$/),
        expect.stringMatching(/^[0-9a-f]{40,64}$/),
      ]);
      expect(pr.headSha).not.toBe(pr.baseSha);
    });

    test("answers the same about a pull request that has not changed", async () => {
      expect(await openCart()).toEqual(await openCart());
    });

    test("tells which files were added, modified and deleted, and leaves out the others", async () => {
      const { files } = await subject.host.getDiff(await openCart(), never);
      expect(
        files.map(({ path, change, additions, deletions }) => ({ path, change, additions, deletions })),
      ).toEqual([
        { path: "logo.png", change: "added", additions: 0, deletions: 0 },
        { path: "src/cart.ts", change: "modified", additions: 2, deletions: 1 },
        { path: "src/new.ts", change: "added", additions: 2, deletions: 0 },
        { path: "src/old.ts", change: "deleted", additions: 0, deletions: 1 },
      ]);
    });

    test("numbers every line on the side where it stands", async () => {
      const file = await fileOfCart("src/cart.ts");
      expect(file?.hunks.flatMap((hunk) => hunk.lines)).toEqual([
        { kind: "context", oldLine: 1, newLine: 1, text: "const a = 1;" },
        { kind: "removed", oldLine: 2, text: "const b = 2;" },
        { kind: "added", newLine: 2, text: "const b = 20;" },
        { kind: "context", oldLine: 3, newLine: 3, text: "const c = 3;" },
        { kind: "added", newLine: 4, text: "const d = 4;" },
      ]);
    });

    test("counts the lines of a new file from 1", async () => {
      const file = await fileOfCart("src/new.ts");
      expect(file && addedLines(file)).toEqual([1, 2]);
      expect(file).toMatchObject({ oldPath: null, oldMode: null, newMode: "100644", content: "text" });
    });

    test("shows a binary file without lines", async () => {
      expect(await fileOfCart("logo.png")).toMatchObject({ content: "binary", hunks: [] });
    });

    test("reads a file as it is on each side, and nothing where it is not", async () => {
      const pr = await openCart();
      const text = async (path: string, side: "base" | "head") => {
        const bytes = await subject.host.getFile(pr, path, side, never);
        return bytes === null ? null : Buffer.from(bytes).toString();
      };
      expect(await text("src/cart.ts", "base")).toBe(base["src/cart.ts"]);
      expect(await text("src/cart.ts", "head")).toBe(head["src/cart.ts"]);
      expect(await text("docs/read me.md", "head")).toBe("Hello\n");
      expect(await text("src/old.ts", "head")).toBeNull();
      expect(await text("src/new.ts", "base")).toBeNull();
      expect(await text("src", "head")).toBeNull();
    });

    test("lists the files right in a folder as it is on each side, and none where there is no folder", async () => {
      const pr = await openCart();
      const { host } = subject;
      expect(await host.listFiles(pr, "src", "base", never)).toEqual(["src/cart.ts", "src/old.ts"]);
      expect(await host.listFiles(pr, "src", "head", never)).toEqual(["src/cart.ts", "src/new.ts"]);
      expect(await host.listFiles(pr, "src/cart.ts", "head", never)).toEqual([]);
      expect(await host.listFiles(pr, "absent/deeper", "head", never)).toEqual([]);
    });

    test("finds the lines that hold a word as a whole, on each side", async () => {
      const ref = { repository: "acme/searched", number: 1, title: "Search" };
      const before = { "src/b.ts": "price(1);\nunprice(1); price_of(2); price2(3);\n" };
      const after = {
        "src/b.ts": "price(1, 2);\r\nunprice(1); price_of(2); price2(3);\r\nlog(prices, price)",
        "src/a b.py": "tax = 1\nrun --dry-run x\nprêt: $price\n",
        "-e": "price\n",
        "logo.png": new Uint8Array([0, ...Buffer.from("price")]),
        "bundle.js": `${"x;".repeat(600)}price()\nprice()\n`,
      };
      await subject.opens({ ...ref, base: before, head: after });
      const pr = await subject.host.getPullRequest(ref, never);
      const search = async (words: readonly string[], side: "base" | "head") =>
        (await subject.host.search(pr, words, side, never))?.map(
          ({ path, line, text }) => `${path}:${line} ${text}`,
        );
      const found = await search(["price", "--dry-run", "absent"], "head");
      if (found === undefined) return;
      expect(found).toEqual([
        "-e:1 price",
        "bundle.js:2 price()",
        "src/a b.py:2 run --dry-run x",
        "src/a b.py:3 prêt: $price",
        "src/b.ts:1 price(1, 2);",
        "src/b.ts:3 log(prices, price)",
      ]);
      expect(await search(["price"], "base")).toEqual(["src/b.ts:1 price(1);"]);
      expect(await search(["absent"], "head")).toEqual([]);
      expect(await search([], "head")).toEqual([]);
    });

    test("searches for words, each on one line, and only for so many at once", async () => {
      const pr = await openCart();
      const refused = (words: readonly string[]) =>
        subject.host.search(pr, words, "head", never).catch((error: unknown) => error);
      if ((await subject.host.search(pr, ["a"], "head", never)) === null) return;
      for (const words of [[""], ["a\nb"], ["a\0b"], Array.from({ length: 65 }, (_, n) => `word${n}`)])
        expect(await refused(words)).toBeInstanceOf(Error);
    });

    test("answers a question asked ten times at once ten times alike", async () => {
      const pr = await openCart();
      const diffs = await Promise.all(Array.from({ length: 10 }, () => subject.host.getDiff(pr, never)));
      for (const diff of diffs) expect(diff).toEqual(diffs[0] ?? { files: [] });
    });

    test("keeps to the head it described when the pull request moves on", async () => {
      const ref = { repository: "acme/moving", number: 1, title: "Move" };
      await subject.opens({ ...ref, base: { a: "1\n" }, head: { a: "2\n" } });
      const before = await subject.host.getPullRequest(ref, never);
      await subject.opens({ ...ref, base: { a: "1\n" }, head: { a: "3\n" } });
      const after = await subject.host.getPullRequest(ref, never);
      expect(after.headSha).not.toBe(before.headSha);
      const added = async (pr: typeof before) =>
        (await subject.host.getDiff(pr, never)).files.flatMap((file) =>
          file.hunks.flatMap((hunk) =>
            hunk.lines.filter((line) => line.kind === "added").map((line) => line.text),
          ),
        );
      expect(await added(before)).toEqual(["2"]);
      expect(await added(after)).toEqual(["3"]);
    });

    test("finds no change in an empty pull request", async () => {
      const ref = { repository: "acme/empty", number: 1, title: "Nothing" };
      await subject.opens({ ...ref, base: { a: "1\n" }, head: { a: "1\n" } });
      const pr = await subject.host.getPullRequest(ref, never);
      expect(await subject.host.getDiff(pr, never)).toEqual({ files: [] });
    });

    test("lists the pull requests of one repository with their heads", async () => {
      const ref = { repository: "acme/listed", title: "One of two" };
      await subject.opens({ ...ref, number: 3, base: { a: "1\n" }, head: { a: "3\n" } });
      await subject.opens({ ...ref, number: 12, base: { a: "1\n" }, head: { a: "12\n" } });
      const { headSha } = await subject.host.getPullRequest({ ...ref, number: 12 }, never);
      const listed = await subject.host.listPullRequests("acme/listed", never);
      expect(listed.map(({ number }) => number)).toEqual([3, 12]);
      expect(listed[1]).toEqual({ number: 12, headSha });
    });

    test("says by name which pull request is not there", async () => {
      const missing = await subject.host
        .getPullRequest({ ...cart, number: 404 }, never)
        .catch((error) => error);
      expect(missing).toBeInstanceOf(ReviewFailed);
      expect(missing.failure).toMatchObject({
        code: "pull_request_not_found",
        message: expect.stringContaining("acme/shop#404"),
      });
    });

    test("no longer finds a pull request that was removed", async () => {
      const ref = { repository: "acme/removed", number: 1, title: "Remove" };
      await subject.opens({ ...ref, base: { a: "1\n" }, head: { a: "2\n" } });
      await subject.removes(ref);
      const missing = await subject.host.getPullRequest(ref, never).catch((error) => error);
      expect(missing).toMatchObject({ failure: { code: "pull_request_not_found" } });
      expect(await subject.host.listPullRequests("acme/removed", never)).toEqual([]);
    });

    test("does nothing for a caller who has given up", async () => {
      const pr = await openCart();
      const givenUp = AbortSignal.abort(new Error("superseded"));
      const { host } = subject;
      await expect(host.getPullRequest(cart, givenUp)).rejects.toThrow("superseded");
      await expect(host.getDiff(pr, givenUp)).rejects.toThrow("superseded");
      await expect(host.getFile(pr, "src/cart.ts", "head", givenUp)).rejects.toThrow("superseded");
      await expect(host.listFiles(pr, "src", "head", givenUp)).rejects.toThrow("superseded");
      await expect(host.search(pr, ["a"], "head", givenUp)).rejects.toThrow("superseded");
      await expect(host.listPullRequests("acme/shop", givenUp)).rejects.toThrow("superseded");
    });
  });
}
