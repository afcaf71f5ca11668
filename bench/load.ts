/**
 * A load of one GET over a number of kept-alive connections, each sending the next request when it has the whole answer.
 * Plain sockets: a client that costs more than the server would measure itself. Loopback only, bounded in time.
 */
import { quantile } from "./statistics.ts";

export interface Load {
  url: string;
  headers: Readonly<Record<string, string>>;
  connections: number;
  seconds: number;
  /** Every answer must have it. */
  status: number;
}

export interface LoadResult {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
}

const loopback = /^(127\.\d+\.\d+\.\d+|localhost)$/;

/** Throws when an answer has another status. */
export async function putLoadOn(load: Load): Promise<LoadResult> {
  const url = new URL(load.url);
  if (!loopback.test(url.hostname)) throw new Error(`${url.hostname} is not this machine`);
  const lines = [
    `GET ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    ...Object.entries(load.headers).map(([name, value]) => `${name}: ${value}`),
  ];
  const request = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`);
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + load.seconds * 1_000;
  const client = () => requestUntil(endsAt, url, request, load.status, latenciesMs);
  await Promise.all(Array.from({ length: load.connections }, client));
  const elapsedSeconds = (performance.now() - startedAt) / 1_000;
  return {
    requestsPerSecond: latenciesMs.length / elapsedSeconds,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
  };
}

async function requestUntil(
  endsAt: number,
  url: URL,
  request: Buffer,
  status: number,
  latenciesMs: number[],
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let sentAt = 0;
  let received: Buffer = Buffer.alloc(0);
  const socket = await Bun.connect({
    hostname: url.hostname,
    port: Number(url.port),
    socket: {
      data(connection, chunk) {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        const length = answerLength(received);
        if (length === null || received.length < length) return;
        if (!received.subarray(0, 12).toString().endsWith(` ${status}`)) {
          reject(new Error(`answered ${received.subarray(0, 300).toString()}`));
          return;
        }
        latenciesMs.push(performance.now() - sentAt);
        received = Buffer.alloc(0);
        if (performance.now() >= endsAt) return resolve();
        sentAt = performance.now();
        connection.write(request);
      },
      close: () => reject(new Error("the server closed the connection")),
      error: (_connection, error) => reject(error),
    },
  });
  sentAt = performance.now();
  socket.write(request);
  await promise.finally(() => socket.end());
}

/** Head and body together; null while the head is incomplete. An answer without Content-Length (304) has no body. */
function answerLength(received: Buffer): number | null {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd < 0) return null;
  const head = received.subarray(0, headEnd).toString("latin1");
  const [, length = "0"] = /^content-length: (\d+)/im.exec(head) ?? [];
  return headEnd + 4 + Number(length);
}
