/**
 * Reads an HTTP/1.1 answer (RFC 9112) as far as we want it: the status, the headers and the first part of the body. It
 * holds a bounded number of bytes whatever is sent, and never decompresses: a gzip bomb stays as small as it came.
 */

export const readBytesMax = 64 * 1024;
export const keptBytesMax = 8 * 1024;
const headerBytesMax = 16 * 1024;

export interface Answer {
  status: number;
  /** Names in lower case; of a repeated one the last value. */
  headers: ReadonlyMap<string, string>;
  /** The first 8 KB of the body at most. */
  body: Uint8Array;
}

/** What was received is no HTTP answer, or ended too early. */
export class MalformedAnswer extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MalformedAnswer";
  }
}

type Body =
  | { framing: "length"; left: number }
  | { framing: "chunked"; left: number; expects: "size" | "data" | "data end" }
  | { framing: "until close" };

export class AnswerReader {
  #head: { status: number; headers: Map<string, string> } | null = null;
  #framing: Body = { framing: "until close" };
  /** What was received and not understood yet: a part of the headers, or of a chunk's size. */
  #pending = Buffer.alloc(0);
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #receivedBytes = 0;
  #complete = false;

  /** The status once it is known, though the answer may not be complete. */
  get status(): number | null {
    return this.#head?.status ?? null;
  }

  /** Takes what was received; true once nothing more is wanted. Errors: `MalformedAnswer`. */
  push(bytes: Uint8Array): boolean {
    if (this.#complete) return true;
    this.#pending = Buffer.concat([this.#pending, bytes]);
    this.#receivedBytes += bytes.length;
    const enough = this.#receivedBytes >= readBytesMax;
    if (this.#head === null && !this.#readHead()) {
      if (enough) throw new MalformedAnswer("The answer's headers are too large.");
      return false;
    }
    this.#complete = this.#readBody() || enough;
    return this.#complete;
  }

  /** The answer, when it is complete or its end is the connection's. Errors: `MalformedAnswer`. */
  end(): Answer {
    if (this.#head === null) throw new MalformedAnswer("The connection ended before an answer.");
    if (!this.#complete && this.#framing.framing !== "until close") {
      throw new MalformedAnswer("The connection ended in the middle of the answer.");
    }
    return { ...this.#head, body: Buffer.concat(this.#kept) };
  }

  /** True once the headers are whole; interim answers (100, 103) are passed over. */
  #readHead(): boolean {
    for (;;) {
      const end = this.#pending.indexOf("\r\n\r\n");
      if (end > headerBytesMax || (end < 0 && this.#pending.length > headerBytesMax)) {
        throw new MalformedAnswer("The answer's headers are too large.");
      }
      if (end < 0) return false;
      const head = parseHead(this.#pending.subarray(0, end).toString("latin1"));
      this.#pending = this.#pending.subarray(end + 4);
      if (head.status >= 200) {
        this.#head = head;
        this.#framing = framingOf(head.status, head.headers);
        return true;
      }
    }
  }

  /** True once the body is whole. */
  #readBody(): boolean {
    const body = this.#framing;
    if (body.framing === "chunked") return this.#readChunks(body);
    if (body.framing === "until close") {
      this.#take(this.#pending.length);
      return false;
    }
    body.left -= this.#take(body.left);
    return body.left === 0;
  }

  #readChunks(body: Body & { framing: "chunked" }): boolean {
    for (;;) {
      if (body.expects === "data") {
        body.left -= this.#take(body.left);
        if (body.left > 0) return false;
        body.expects = "data end";
      }
      const line = this.#takeLine();
      if (line === null) return false;
      if (body.expects === "data end") {
        body.expects = "size";
        continue;
      }
      const size = /^([0-9a-f]{1,8})(?:[ \t]*;.*)?$/i.exec(line)?.[1];
      if (size === undefined) throw new MalformedAnswer("The answer's chunks are malformed.");
      body.left = Number.parseInt(size, 16);
      // Trailers may follow the last chunk; nobody reads them.
      if (body.left === 0) return true;
      body.expects = "data";
    }
  }

  #takeLine(): string | null {
    const end = this.#pending.indexOf("\r\n");
    if (end > headerBytesMax || (end < 0 && this.#pending.length > headerBytesMax)) {
      throw new MalformedAnswer("The answer's chunks are malformed.");
    }
    if (end < 0) return null;
    const line = this.#pending.subarray(0, end).toString("latin1");
    this.#pending = this.#pending.subarray(end + 2);
    return line;
  }

  /** Moves up to `wanted` bytes from what is pending to the body; answers how many. */
  #take(wanted: number): number {
    const taken = this.#pending.subarray(0, Math.min(wanted, this.#pending.length));
    this.#pending = this.#pending.subarray(taken.length);
    const kept = taken.subarray(0, keptBytesMax - this.#keptBytes);
    if (kept.length > 0) this.#kept.push(Buffer.from(kept));
    this.#keptBytes += kept.length;
    return taken.length;
  }
}

function parseHead(text: string): { status: number; headers: Map<string, string> } {
  const [statusLine = "", ...lines] = text.split("\r\n");
  const status = /^HTTP\/1\.[01] ([1-5]\d\d)(?: |$)/.exec(statusLine)?.[1];
  if (status === undefined) throw new MalformedAnswer("What was received is no HTTP answer.");
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return { status: Number(status), headers };
}

function framingOf(status: number, headers: ReadonlyMap<string, string>): Body {
  if (status === 204 || status === 304) return { framing: "length", left: 0 };
  if (/chunked\s*$/i.test(headers.get("transfer-encoding") ?? "")) {
    return { framing: "chunked", left: 0, expects: "size" };
  }
  const length = headers.get("content-length");
  if (length === undefined) return { framing: "until close" };
  if (!/^\d{1,15}$/.test(length)) throw new MalformedAnswer("The answer's Content-Length is no number.");
  return { framing: "length", left: Number(length) };
}
