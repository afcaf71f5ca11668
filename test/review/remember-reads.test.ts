import { expect, test } from "bun:test";
import { rememberReads } from "../../src/review/remember-reads.ts";

function countingReads(answer: (path: string) => Uint8Array | null) {
  const asked: string[] = [];
  const readFile = async (path: string) => {
    asked.push(path);
    return answer(path);
  };
  return { asked, readFile };
}

test("reading a file again asks the code host again only when it had to be forgotten", async () => {
  const { asked, readFile } = countingReads(() => new Uint8Array(60));
  const read = rememberReads(readFile, 100);
  await read("a", "head");
  await read("a", "head");
  expect(asked).toEqual(["a"]);
  await read("b", "head");
  await read("b", "head");
  await read("a", "head");
  expect(asked).toEqual(["a", "b", "a"]);
});

test("a file that is not there is remembered as such", async () => {
  const { asked, readFile } = countingReads(() => null);
  const read = rememberReads(readFile, 100);
  expect([await read("a", "head"), await read("a", "head")]).toEqual([null, null]);
  expect(asked).toEqual(["a"]);
});

test("a read that failed is not remembered", async () => {
  let fails = true;
  const { asked, readFile } = countingReads(() => {
    if (fails) throw new Error("away");
    return new Uint8Array(1);
  });
  const read = rememberReads(readFile, 100);
  await expect(read("a", "head")).rejects.toThrow("away");
  fails = false;
  expect(await read("a", "head")).toEqual(new Uint8Array(1));
  expect(asked).toEqual(["a", "a"]);
});
