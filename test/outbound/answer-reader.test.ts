import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AnswerReader, keptBytesMax, MalformedAnswer } from "../../src/outbound/answer-reader.ts";

/** Feeds the pieces until the reader has enough, and tells what it made of them. */
function read(...pieces: readonly (string | Uint8Array)[]) {
  const reader = new AnswerReader();
  let used = 0;
  for (const piece of pieces) {
    used += 1;
    if (reader.push(Buffer.from(piece))) break;
  }
  const answer = reader.end();
  return { status: answer.status, body: Buffer.from(answer.body).toString("latin1"), used };
}

const ok = "HTTP/1.1 200 OK\r\n";

describe("reading an answer", () => {
  test("with a length ends where the length says", () => {
    expect(read(`${ok}content-length: 5\r\n\r\nhel`, "lo", "more")).toEqual({
      status: 200,
      body: "hello",
      used: 2,
    });
    expect(read("HTTP/1.0 404 Not Found\r\nContent-Length: 0\r\n\r\n")).toMatchObject({
      status: 404,
      body: "",
    });
    expect(read("HTTP/1.1 204\r\n\r\n", "never read")).toEqual({ status: 204, body: "", used: 1 });
  });

  test("in chunks ends with the last chunk", () => {
    const chunked = `${ok}Transfer-Encoding: gzip, Chunked\r\n\r\n`;
    expect(read(`${chunked}3\r\nabc\r\n00A;ext=1\r\n0123456789\r\n0\r\n`, "x")).toEqual({
      status: 200,
      body: "abc0123456789",
      used: 1,
    });
  });

  test("without either ends with the connection", () => {
    expect(read(`${ok}\r\nall of `, "this")).toEqual({ status: 200, body: "all of this", used: 2 });
  });

  test("passes over interim answers", () => {
    const interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n";
    expect(read(`${interim}HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n`).status).toBe(201);
  });

  test("keeps 8 KB of the body and stops reading at 64 KB", () => {
    const block = Buffer.alloc(16 * 1024, "x");
    const answer = read(`${ok}content-length: 1000000000\r\n\r\n`, block, block, block, block, block, block);
    expect(answer.used).toBe(5);
    expect(answer.body).toHaveLength(keptBytesMax);
  });

  test("is the same however the bytes arrive", () => {
    const whole = Buffer.from(
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 503 Busy\r\nRetry-After: 7\r\ntransfer-encoding: chunked\r\n\r\n" +
        "4\r\nabcd\r\n1\r\ne\r\n0\r\n\r\n",
    );
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: whole.length }), { maxLength: 20 }), (cuts) => {
        const edges = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
        const pieces = edges.slice(1).map((edge, i) => whole.subarray(edges[i], edge));
        expect(read(...pieces)).toMatchObject({ status: 503, body: "abcde" });
      }),
    );
  });

  test.each([
    ["nothing at all", ""],
    ["half a header", `${ok}content-le`],
    ["something else than HTTP", "SSH-2.0-OpenSSH_9.2\r\n\r\n"],
    ["an unknown version", "HTTP/2.0 200 OK\r\n\r\n"],
    ["a status that is none", "HTTP/1.1 999 What\r\n\r\n"],
    ["a length that is none", `${ok}content-length: -1\r\n\r\n`],
    ["a length written twice", `${ok}content-length: 1, 1\r\n\r\nx`],
    ["a chunk size that is none", `${ok}transfer-encoding: chunked\r\n\r\nzz\r\n`],
    ["a body shorter than its length", `${ok}content-length: 10\r\n\r\nshort`],
    ["chunks without the last", `${ok}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`],
    ["headers without an end", `${ok}${"x: y\r\n".repeat(20_000)}`],
    ["a chunk size without an end", `${ok}transfer-encoding: chunked\r\n\r\n1;${"x".repeat(20_000)}`],
    ["interim answers without an end", "HTTP/1.1 100 Continue\r\n\r\n".repeat(5_000)],
  ])("refuses %s", (_, text) => {
    expect(() => read(text)).toThrow(MalformedAnswer);
  });

  test("makes something of any bytes, or refuses them, and never holds more than it may", () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 64 }), { maxLength: 20 }),
        fc.boolean(),
        (pieces, head) => {
          try {
            const answer = read(...(head ? [`${ok}transfer-encoding: chunked\r\n\r\n`] : []), ...pieces);
            expect(answer.body.length).toBeLessThanOrEqual(keptBytesMax);
          } catch (error) {
            expect(error).toBeInstanceOf(MalformedAnswer);
          }
        },
      ),
    );
  });
});
