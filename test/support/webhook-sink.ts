/** A real receiver of webhooks on loopback, which can be told to behave as badly as receivers do. */
import { createHmac } from "node:crypto";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { gzipSync } from "node:zlib";
import { Webhook } from "standardwebhooks";
import type { Certificate } from "./certificates.ts";

export interface ReceivedWebhook {
  method: string;
  path: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The raw body, as text. */
  body: string;
}

/** What to do with a request that has come in whole. */
export type Behavior = (socket: Socket, request: ReceivedWebhook) => void;

export interface WebhookSink {
  /** `http://127.0.0.1:<port>/hook` or https. */
  url: string;
  port: number;
  received(): readonly ReceivedWebhook[];
  /** From now on. */
  behaves(behavior: Behavior): void;
  /** One after another; the last one stays. */
  behavesInTurn(...behaviors: readonly [Behavior, ...Behavior[]]): void;
  /** Waits until that many requests have come in since the start. */
  untilReceived(count: number): Promise<void>;
  connections(): { open: number; peak: number; total: number };
  close(): Promise<void>;
}

export async function startWebhookSink(options: { tls?: Certificate } = {}): Promise<WebhookSink> {
  const received: ReceivedWebhook[] = [];
  const open = new Set<Socket>();
  const waiting: { count: number; resolve: () => void }[] = [];
  const connections = { peak: 0, total: 0 };
  let turns: Behavior[] = [answers(200)];

  function onRequest(socket: Socket, request: ReceivedWebhook): void {
    received.push(request);
    const behavior = turns.length > 1 ? turns.shift() : turns[0];
    behavior?.(socket, request);
    for (const waiter of waiting) if (received.length >= waiter.count) waiter.resolve();
  }

  function onConnection(socket: Socket): void {
    open.add(socket);
    connections.total += 1;
    connections.peak = Math.max(connections.peak, open.size);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => socket.destroy());
    readRequest(socket, (request) => onRequest(socket, request));
  }

  const server = options.tls
    ? createTlsServer({ key: options.tls.key, cert: options.tls.certificate }, onConnection)
    : createServer(onConnection);
  server.on("tlsClientError", () => undefined);
  const port = await listen(server);
  return {
    url: `${options.tls ? "https" : "http"}://127.0.0.1:${port}/hook`,
    port,
    received: () => received,
    behaves: (behavior) => {
      turns = [behavior];
    },
    behavesInTurn: (...behaviors) => {
      turns = [...behaviors];
    },
    untilReceived(count) {
      if (received.length >= count) return Promise.resolve();
      return new Promise((resolve) => waiting.push({ count, resolve }));
    },
    connections: () => ({ ...connections, open: open.size }),
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function answers(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body: string | Uint8Array = "",
): Behavior {
  return (socket) => {
    const content = Buffer.from(body);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status} Said\r\n${lines.join("")}content-length: ${content.length}\r\n\r\n`);
    socket.end(content);
  };
}

/** Sends these very bytes and closes. */
export function says(text: string): Behavior {
  return (socket) => socket.end(text);
}

/** Takes the request and never answers. */
export const hangs: Behavior = () => undefined;

/** Answers 200 and then a byte now and then, without an end. */
export const drips: Behavior = (socket) => {
  socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n");
  const timer = setInterval(() => socket.write("."), 10);
  socket.on("close", () => clearInterval(timer));
};

/** Answers 200 and as many bytes as are taken, up to a gigabyte. `written` counts what went out. */
export function floods(written: { bytes: number }): Behavior {
  const block = Buffer.alloc(64 * 1024, "x");
  return (socket) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n");
    const more = () => {
      while (!socket.destroyed && written.bytes < 2 ** 30) {
        written.bytes += block.length;
        if (!socket.write(block)) return;
      }
    };
    socket.on("drain", more);
    more();
  };
}

/** Answers 200 with 64 MB of zeros in some 64 KB of gzip. */
export const answersAGzipBomb: Behavior = (socket, request) =>
  answers(200, { "content-encoding": "gzip" }, gzipSync(Buffer.alloc(64 * 1024 * 1024)))(socket, request);

export const resets: Behavior = (socket) => void socket.resetAndDestroy();

/** Throws unless both signatures are what the secret makes of the body; the timestamp's age is not looked at. */
export function verify(webhook: ReceivedWebhook, secret: string): void {
  const { headers, body } = webhook;
  if (headers["x-service-signature"] !== hexSignature(body, secret)) {
    throw new Error("X-Service-Signature is wrong");
  }
  if (!standardSignatureFits(webhook, secret)) throw new Error("webhook-signature is wrong");
}

export function hexSignature(body: string, secret: string): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}

/** Whether one of the signatures in `webhook-signature` is the secret's, by the reference library. */
export function standardSignatureFits({ headers, body }: ReceivedWebhook, secret: string): boolean {
  const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
  const expected = new Webhook(secret).sign(headers["webhook-id"] ?? "", at, body);
  return (headers["webhook-signature"] ?? "").split(" ").includes(expected);
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

function readRequest(socket: Socket, onRequest: (request: ReceivedWebhook) => void): void {
  let bytes = Buffer.alloc(0);
  socket.on("data", (more: Buffer) => {
    bytes = Buffer.concat([bytes, more]);
    const headEnd = bytes.indexOf("\r\n\r\n");
    if (headEnd < 0) return;
    const [requestLine = "", ...lines] = bytes.subarray(0, headEnd).toString("latin1").split("\r\n");
    const headers = Object.fromEntries(
      lines.map((line) => {
        const [name = "", value = ""] = line.split(/:\s*(.*)/, 2);
        return [name.toLowerCase(), value];
      }),
    );
    const body = bytes.subarray(headEnd + 4);
    if (body.length < Number(headers["content-length"] ?? 0)) return;
    const [method = "", path = ""] = requestLine.split(" ");
    bytes = Buffer.alloc(0);
    onRequest({ method, path, headers, body: body.toString() });
  });
}
