/** The HTTP server: everything outside reaches Plumbline through here. */
import { AppError } from "../domain/errors.ts";
import { createApiKeys } from "./api-keys.ts";
import { createClientAddresses } from "./client-address.ts";
import { createFrontDoor } from "./front-door.ts";
import { openApiDocument } from "./openapi/document.ts";
import { createRateLimiter } from "./rate-limiter.ts";
import { createRefuse } from "./refuse.ts";
import { createRequestLimits } from "./request-limits.ts";
import { createRoutes } from "./routes.ts";
import type { ServerDeps } from "./server-deps.ts";

export interface HttpServer {
  /** Port 0 takes a free one. Errors: AppError `conflict` when the address cannot be had. */
  listen(host: string, port: number): Promise<{ port: number }>;
  /** Refuses what is new, waits up to `graceMs` for what runs, then cuts it. */
  stop(graceMs: number): Promise<void>;
  /** Answers without a socket. */
  handle(request: Request): Promise<Response>;
}

/** Request counts and uses of keys are written down this often. */
const flushEveryMs = 1000;
/** A connection that says nothing for so long is closed; a slow answer must be given within it, too. */
const idleTimeoutSeconds = 60;

export function createServer(deps: ServerDeps): HttpServer {
  const keys = createApiKeys(deps);
  const limiter = createRateLimiter(deps);
  const refuse = createRefuse(deps);
  const routes = createRoutes(deps, refuse, createDocument(deps));
  const door = createFrontDoor({
    deps,
    keys,
    limiter,
    refuse,
    limits: createRequestLimits(deps),
    addresses: createClientAddresses(deps.trustedProxies),
    metrics: deps.metrics,
    route: routes.handle,
  });
  let server: Bun.Server<undefined> | null = null;
  let flushing: Timer | null = null;

  async function flush(): Promise<void> {
    await Promise.all([keys.flush(), limiter.flush()]);
  }

  return {
    async listen(host, port) {
      await limiter.load();
      server = serve(host, port, door.answer);
      flushing = setInterval(() => void flush(), flushEveryMs);
      return { port: server.port ?? port };
    },
    async stop(graceMs) {
      door.close();
      if (flushing !== null) clearInterval(flushing);
      if (server !== null) await stopServing(server, graceMs);
      server = null;
      await flush();
    },
    handle: (request) => door.answer(request, null),
  };
}

function serve(
  host: string,
  port: number,
  answer: (request: Request, peer: string | null) => Promise<Response>,
): Bun.Server<undefined> {
  try {
    return Bun.serve({
      hostname: host,
      port,
      reusePort: false,
      idleTimeout: idleTimeoutSeconds,
      // Bodies are bounded by read-body.ts, which answers with a problem document; Bun's own 413 has no body.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      development: false,
      fetch: (request, server) => answer(request, server.requestIP(request)?.address ?? null),
    });
  } catch (cause) {
    throw new AppError(
      "conflict",
      `Cannot listen on ${host}:${port}: ${whyNotListening(cause, host, port)}`,
      {
        cause,
      },
    );
  }
}

/** Bun asks "Is port 0 in use?" for a host that is not this machine's, too. */
function whyNotListening(cause: unknown, host: string, port: number): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : null;
  const foreign = `${host} is no address of this machine.`;
  if (code === "EADDRNOTAVAIL" || code === "EINVAL") return foreign;
  if (code === "EADDRINUSE") return port === 0 ? foreign : `the port is in use, or ${foreign}`;
  return cause instanceof Error ? cause.message : String(cause);
}

/** Idle connections are closed at once; what runs may end within `graceMs`. */
async function stopServing(server: Bun.Server<undefined>, graceMs: number): Promise<void> {
  const patience = Promise.withResolvers<void>();
  const timer = setTimeout(patience.resolve, graceMs);
  await Promise.race([server.stop(false), patience.promise]);
  clearTimeout(timer);
  await server.stop(true);
}

/** Made when it is first asked for. */
function createDocument({ siteUrl, version, operations }: ServerDeps): () => Promise<string> {
  let document: Promise<string> | null = null;
  const make = async () => {
    const servers = [
      { url: "/", description: "Where this document was read" },
      { url: siteUrl(), description: "The configured address" },
    ];
    return JSON.stringify(await openApiDocument({ servers, version, operations }));
  };
  return () => {
    document ??= make();
    return document;
  };
}
