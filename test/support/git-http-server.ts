/** A Git server over HTTP on loopback: git's own `http-backend` behind Bun.serve, with room for bad manners. */

export interface GitHttpServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>/{repository}.git` */
  urlTemplate: string;
  port: number;
  /** `GET /acme/shop.git/info/refs`, in the order in which they came. */
  requests: string[];
  stop(): Promise<void>;
}

export interface GitHttpServerOptions {
  /** The folder that holds the repositories. */
  root: string;
  /** Answers instead of git; undefined = git answers, once that is known. */
  intercept?: (request: Request) => Response | undefined | Promise<Response | undefined>;
  /** Then by https. */
  tls?: { cert: string; key: string };
}

export function startGitHttpServer({ root, intercept, tls }: GitHttpServerOptions): GitHttpServer {
  const requests: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    ...(tls === undefined ? {} : { tls }),
    async fetch(request) {
      requests.push(`${request.method} ${new URL(request.url).pathname}`);
      return (await intercept?.(request)) ?? answerByGit(request, root);
    },
  });
  const port = server.port ?? 0;
  const stop = () => server.stop(true);
  return {
    urlTemplate: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}/{repository}.git`,
    port,
    requests,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** The Common Gateway Interface (RFC 3875), as far as git needs it. */
async function answerByGit(request: Request, root: string): Promise<Response> {
  const url = new URL(request.url);
  const child = Bun.spawn(["git", "http-backend"], {
    stdin: new Uint8Array(await request.arrayBuffer()),
    stdout: "pipe",
    stderr: "ignore",
    env: {
      PATH: process.env.PATH ?? "",
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "safe.directory",
      GIT_CONFIG_VALUE_0: "*",
      REQUEST_METHOD: request.method,
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers.get("content-type") ?? "",
      HTTP_CONTENT_ENCODING: request.headers.get("content-encoding") ?? "",
      GIT_PROTOCOL: request.headers.get("git-protocol") ?? "",
    },
  });
  const output = Buffer.from(await new Response(child.stdout).arrayBuffer());
  const end = output.indexOf("\r\n\r\n");
  const headers = new Headers();
  for (const line of output.toString("latin1", 0, end).split("\r\n")) {
    const [name = "", value = ""] = line.split(/: (.*)/s);
    headers.append(name, value);
  }
  const status = Number.parseInt(headers.get("status") ?? "200", 10);
  headers.delete("status");
  return new Response(output.subarray(end + 4), { status, headers });
}
