/** The HTTP server: everything outside reaches Plumbline through here. */
import type { ServerDeps } from "./server-deps.ts";

export interface HttpServer {
  /** Port 0 takes a free one. Errors: AppError `conflict` when the address is taken. */
  listen(host: string, port: number): Promise<{ port: number }>;
  /** Refuses what is new, waits up to `graceMs` for what runs, then cuts it. */
  stop(graceMs: number): Promise<void>;
  /** Answers without a socket; for tests and for the OpenAPI document. */
  handle(request: Request): Promise<Response>;
}

export function createServer(_deps: ServerDeps): HttpServer {
  throw new Error("not built yet");
}
