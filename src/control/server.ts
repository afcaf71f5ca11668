/** The end of the control socket that a running server holds. */
import { rmSync } from "node:fs";
import { AppError, errorKinds, isAppError } from "../domain/errors.ts";
import type { Logger } from "../domain/runtime.ts";
import { type ControlAnswer, controlSocketPath, socketPathBytesMax } from "./protocol.ts";

export interface ControlServerOptions {
  /** Its lock is held: whatever socket lies there was left by a process that is gone. */
  dataDir: string;
  /** Runs the operation of that name; throws AppError. */
  handle: (name: string, input: unknown) => Promise<unknown>;
  logger: Logger;
}

const ownerOnly = 0o177;
/** An operation may wait for somebody else: a test delivery, say. */
const answerSecondsMax = 60;

/** Errors: AppError `conflict` when the socket cannot be made. */
export function startControlServer(options: ControlServerOptions): { stop(): Promise<void> } {
  const path = controlSocketPath(options.dataDir);
  if (Buffer.byteLength(path) > socketPathBytesMax) {
    throw new AppError(
      "conflict",
      `The data folder's path is too long: ${path} must have at most ${socketPathBytesMax} bytes.`,
    );
  }
  rmSync(path, { force: true });
  const server = listenAs(ownerOnly, () =>
    Bun.serve({
      unix: path,
      fetch(request, server) {
        server.timeout(request, answerSecondsMax);
        return answer(request, options);
      },
    }),
  );
  return { stop: () => server.stop() };
}

/** The socket has its mode from its first moment on: listening is synchronous, so nobody else sees the umask. */
function listenAs<T>(umask: number, listen: () => T): T {
  const before = process.umask(umask);
  try {
    return listen();
  } finally {
    process.umask(before);
  }
}

async function answer(request: Request, { handle, logger }: ControlServerOptions): Promise<Response> {
  const name = new URL(request.url).pathname.slice(1);
  try {
    const result = await handle(name, await request.json());
    return Response.json({ result: result ?? null } satisfies ControlAnswer);
  } catch (error) {
    if (!isAppError(error)) logger.error("a control request failed", { operation: name, error });
    const told = isAppError(error)
      ? error
      : new AppError("internal", "Something went wrong; the server's log has the cause.");
    const { kind, message, fields } = told;
    return Response.json({ error: { kind, message, fields } } satisfies ControlAnswer, {
      status: errorKinds[kind],
    });
  }
}
