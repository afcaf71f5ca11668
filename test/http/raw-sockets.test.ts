/** What no HTTP client sends: the server answers or hangs up, and goes on serving everybody else. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { startTestServer, type TestServer } from "./serve.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());
afterEach(async () => {
  expect((await server.get("/v1/usage")).status).toBe(200);
  expect(server.log.filter((line) => line.startsWith("error"))).toEqual([]);
});

/** Sends the pieces one after another and answers what came back when the server hung up, or said all of `until`. */
function talk(pieces: readonly (string | Uint8Array)[], until?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, "127.0.0.1");
    let heard = "";
    socket.on("data", (data) => {
      heard += data.toString("latin1");
      if (until !== undefined && heard.includes(until)) socket.destroy();
    });
    socket.on("close", () => resolve(heard));
    socket.on("error", reject);
    socket.on("connect", async () => {
      for (const piece of pieces) {
        socket.write(piece);
        await new Promise((sent) => setImmediate(sent));
      }
    });
  });
}

const auth = () => `Host: localhost\r\nAuthorization: Bearer ${server.key}\r\n`;
const posting = () => `POST /v1/reviews HTTP/1.1\r\n${auth()}Content-Type: application/json\r\n`;
const json = '{"repository":"acme/shop","pull_request":7}';

describe("refused with a problem document", () => {
  test.each([
    ["two Host headers", "GET /v1/usage HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
    ["a Host that is none", "GET /v1/usage HTTP/1.1\r\nHost: ex ample<>\r\n\r\n"],
    ["a Host with a path", "GET /v1/usage HTTP/1.1\r\nHost: a/b?c\r\n\r\n"],
    ["CONNECT", "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n"],
  ])("%s", async (_, request) => {
    const answer = await talk([request], "}");
    expect(answer).toStartWith("HTTP/1.1 400 ");
    expect(answer).toContain('"code":"bad_request"');
  });

  test("a path that hides behind two slashes", async () => {
    const answer = await talk([`GET //v1/usage HTTP/1.1\r\n${auth()}\r\n`], "}");
    expect(answer).toStartWith("HTTP/1.1 404 ");
  });

  test("a body that ends before its announced length", async () => {
    const socket = connect(server.port, "127.0.0.1");
    socket.end(`${posting()}Content-Length: 1000\r\n\r\n{"repo`);
    for await (const _ of socket);
  });
});

describe("refused by the parser, which closes the connection", () => {
  test.each([
    ["noise", "\x16\x03\x01\x02\x00\x01\r\n\r\n"],
    ["HTTP/2 without being asked", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["a version that does not exist", "GET /v1/usage HTTP/3.0\r\nHost: localhost\r\n\r\n"],
    ["HTTP/1.1 without Host", "GET /v1/usage HTTP/1.1\r\n\r\n"],
    ["Content-Length beside chunks", chunked("Content-Length: 4\r\n", "0\r\n\r\n")],
    [
      "two lengths",
      "POST /v1/reviews HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
    ],
    ["a negative length", "POST /v1/reviews HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n"],
    ["a length that is no number", "POST /v1/reviews HTTP/1.1\r\nHost: a\r\nContent-Length: abc\r\n\r\nabc"],
    [
      "an encoding beside chunks",
      "POST /v1/reviews HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    ],
    ["a space before the colon", "GET /v1/usage HTTP/1.1\r\nHost: a\r\nA : b\r\n\r\n"],
    ["a folded header", "GET /v1/usage HTTP/1.1\r\nHost: a\r\nA: b\r\n  c\r\n\r\n"],
    ["an endless header", `GET /v1/usage HTTP/1.1\r\nHost: a\r\nA: ${"a".repeat(40_000)}\r\n\r\n`],
    ["an endless address", `GET /${"a".repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ["endless headers", `GET / HTTP/1.1\r\nHost: a\r\n${"A: b\r\n".repeat(1_000)}\r\n`],
    ["a method of its own", "FROBNICATE /v1/usage HTTP/1.1\r\nHost: a\r\n\r\n"],
  ])("%s", async (_, request) => {
    expect(await talk([request])).toMatch(/^(HTTP\/1\.1 (400|431|505) [\s\S]*\r\n\r\n)?$/);
  });

  test("a chunk whose size is no number", async () => {
    const answer = await talk([`${posting()}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`]);
    expect(answer).toStartWith("HTTP/1.1 400 ");
  });
});

describe("served", () => {
  test("HTTP/1.0 without Host, as health checks send it", async () => {
    expect(await talk(["GET /healthz HTTP/1.0\r\n\r\n"], "}")).toContain('{"status":"ok"}');
    expect(
      await talk([`GET /v1/usage HTTP/1.0\r\nAuthorization: Bearer ${server.key}\r\n\r\n`], "}}"),
    ).toContain("credits");
  });

  test("a Host of one letter", async () => {
    expect(await talk(["GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"], "}")).toContain('{"status":"ok"}');
  });

  test("an address in its absolute form", async () => {
    const request = `GET http://elsewhere/v1/usage?x=1 HTTP/1.1\r\n${auth()}\r\n`;
    expect(await talk([request], "}")).toStartWith("HTTP/1.1 422 ");
  });

  test("a body that drips in byte by byte", async () => {
    const request = `${posting()}Content-Length: ${json.length}\r\n\r\n`;
    expect(await talk([request, ...json], "}")).toStartWith("HTTP/1.1 202 ");
  });

  test("headers that drip in byte by byte", async () => {
    expect(await talk([..."GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"], "}")).toStartWith(
      "HTTP/1.1 200 ",
    );
  });

  test("chunks of one byte", async () => {
    const chunks = [...json].map((char) => `1\r\n${char}\r\n`);
    const request = `${posting()}Transfer-Encoding: chunked\r\n\r\n`;
    expect(await talk([request, ...chunks, "0\r\n\r\n"], "}")).toStartWith("HTTP/1.1 202 ");
  });

  test("two requests at once on one connection, in their order", async () => {
    const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    const answer = await talk([request("/healthz") + request("/nothing")], '"not_found"');
    expect(answer.indexOf("200 OK")).toBeLessThan(answer.indexOf("404 Not Found"));
  });

  test("whoever asks whether to go on with the body", async () => {
    const request = `${posting()}Content-Length: ${json.length}\r\nExpect: 100-continue\r\n\r\n`;
    const answer = await talk([request, json], "}");
    expect(answer).toStartWith("HTTP/1.1 100 Continue");
    expect(answer).toContain("HTTP/1.1 202 ");
  });
});

test("a body of 10 GB is cut off after 32 MiB", async () => {
  const piece = new Uint8Array(1_048_576);
  const socket = connect(server.port, "127.0.0.1");
  let open = true;
  let taken = 0;
  socket.on("error", () => {});
  socket.on("close", () => {
    open = false;
  });
  socket.write(`${posting()}Content-Length: 10000000000\r\n\r\n`);
  while (open) {
    if (socket.write(piece)) taken += piece.length;
    await new Promise((next) => setImmediate(next));
  }
  expect(taken).toBeLessThan(100_000_000);
}, 10_000);

test("half a header and chunks without an end hold nobody up", async () => {
  const idle = ["GET /v1/us", `${posting()}Transfer-Encoding: chunked\r\n\r\n5\r\n{"rep`].map((text) => {
    const socket = connect(server.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(text);
    return socket;
  });
  const answers = await Promise.all(Array.from({ length: 20 }, () => server.get("/v1/usage")));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  for (const socket of idle) socket.destroy();
});

function chunked(more: string, body: string): string {
  return `POST /v1/reviews HTTP/1.1\r\nHost: a\r\n${more}Transfer-Encoding: chunked\r\n\r\n${body}`;
}
