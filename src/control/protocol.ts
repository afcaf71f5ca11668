/**
 * How the command line speaks to a running server: HTTP over a unix socket in the data folder. `POST /<operation>` with the
 * input as JSON is answered by `{ result }`, or by `{ error }` in which an AppError survives the way. Whoever may open the socket
 * (mode 0600: the same user, or root) is the owner of the machine, so nothing else is asked of them.
 */
import { join } from "node:path";
import type { ErrorKind, FieldError } from "../domain/errors.ts";

export type ControlAnswer =
  | { result: unknown }
  | { error: { kind: ErrorKind; message: string; fields: readonly FieldError[] } };

/** What sockaddr_un can hold on Linux, without its final zero byte; macOS holds four fewer. */
export const socketPathBytesMax = 103;

export function controlSocketPath(dataDir: string): string {
  return join(dataDir, "control.sock");
}
