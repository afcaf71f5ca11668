/** The end of the control socket that the command line holds. */
import { AppError } from "../domain/errors.ts";
import { type ControlAnswer, controlSocketPath } from "./protocol.ts";

/** Nobody listens: there is no running server on this data folder, or it has just stopped. */
export const noServer = Symbol("no server");

/** Errors: the server's AppError, or AppError `forbidden` when the socket belongs to somebody else. */
export async function callServer(
  dataDir: string,
  name: string,
  input: unknown,
): Promise<unknown | typeof noServer> {
  let response: Response;
  try {
    response = await fetch(`http://localhost/${name}`, {
      unix: controlSocketPath(dataDir),
      method: "POST",
      body: JSON.stringify(input),
      proxy: "",
    });
  } catch (error) {
    return withoutServer(error, dataDir);
  }
  const answer = (await response.json()) as ControlAnswer;
  if ("result" in answer) return answer.result;
  const { kind, message, fields } = answer.error;
  throw new AppError(kind, message, { fields });
}

const nobodyThere = new Set(["ENOENT", "ECONNREFUSED", "ENAMETOOLONG", "ENOTDIR"]);

function withoutServer(error: unknown, dataDir: string): typeof noServer {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (typeof code === "string" && nobodyThere.has(code)) return noServer;
  if (code === "EACCES") {
    const message = `The server on ${dataDir} is another user's; run this as that user or as root.`;
    throw new AppError("forbidden", message, { cause: error });
  }
  throw error;
}
