/** Opens a connection to an address that was checked, plain or TLS, within a time of its own. */
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, getCACertificates } from "node:tls";
import type { Clock } from "../domain/runtime.ts";
import { plainHost, portOf } from "./allowed-targets.ts";
import type { CheckedTarget } from "./guard-address.ts";

export type ConnectErrorClass = "connect" | "tls" | "timeout";

export class ConnectFailed extends Error {
  readonly errorClass: ConnectErrorClass;
  constructor(errorClass: ConnectErrorClass, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = "ConnectFailed";
    this.errorClass = errorClass;
  }
}

export interface ConnectOptions {
  /** For all addresses together, the TLS handshake included. */
  timeoutMs: number;
  /** Certificates (PEM) to trust beside the built-in ones; null for those alone. */
  extraCertificates: string | null;
  clock: Clock;
  signal: AbortSignal;
}

/**
 * Tries the addresses in turn, each with its share of the time that is left, and answers the first connection. A bad
 * certificate ends it at once: another address would not make it good. Errors: `ConnectFailed`; the signal's reason.
 */
export async function connect(target: CheckedTarget, options: ConnectOptions): Promise<Socket> {
  let left = options.timeoutMs;
  let failure = new ConnectFailed("connect", "There is no address to connect to.");
  for (const [index, address] of target.addresses.entries()) {
    const share = left / (target.addresses.length - index);
    const started = options.clock.monotonicMs();
    try {
      return await connectTo(address, target.url, { ...options, timeoutMs: share });
    } catch (error) {
      if (!(error instanceof ConnectFailed) || error.errorClass === "tls") throw error;
      failure = error;
    }
    left -= options.clock.monotonicMs() - started;
  }
  throw failure;
}

function connectTo(address: string, url: URL, options: ConnectOptions): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const secure = url.protocol === "https:";
    const socket = secure ? openTls(address, url, options) : connectTcp({ host: address, port: portOf(url) });
    let tcpConnected = false;
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      options.signal.removeEventListener("abort", onAbort);
      socket.off("connect", onConnect).off("secureConnect", onReady);
      finish();
    };
    const fail = (error: unknown) =>
      settle(() => {
        socket.destroy();
        reject(error);
      });
    const onReady = () => settle(() => resolve(socket));
    const onConnect = () => {
      tcpConnected = true;
      if (!secure) onReady();
    };
    const onAbort = () => fail(options.signal.reason);
    const onTimeout = () => fail(new ConnectFailed("timeout", "The connection did not come about in time."));
    const timer = setTimeout(onTimeout, options.timeoutMs);
    options.signal.addEventListener("abort", onAbort);
    // Stays: an error that comes when nobody waits any more must not end the process.
    socket.on("error", (cause) => fail(classified(cause, tcpConnected)));
    socket.on("connect", onConnect).on("secureConnect", onReady);
    if (options.signal.aborted) onAbort();
  });
}

function openTls(address: string, url: URL, options: ConnectOptions): Socket {
  const host = plainHost(url);
  return connectTls({
    host: address,
    port: portOf(url),
    // The name decides which certificate is asked for and checked; an address is checked as an address.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(options.extraCertificates === null
      ? {}
      : { ca: [...getCACertificates("default"), options.extraCertificates] }),
    ALPNProtocols: ["http/1.1"],
  });
}

function classified(cause: Error, tcpConnected: boolean): ConnectFailed {
  return tcpConnected
    ? new ConnectFailed("tls", `The TLS connection failed: ${cause.message}`, { cause })
    : new ConnectFailed("connect", `The connection failed: ${cause.message}`, { cause });
}
