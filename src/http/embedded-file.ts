/** A file inside the executable, compressed when it is first asked for and revalidated by its hash. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { isUnchanged } from "./conditional.ts";

export interface EmbeddedFile {
  answer(request: Request): Promise<Response>;
}

const compress = promisify(gzip);

/** `path` is what an import `with { type: "file" }` gives. */
export function createEmbeddedFile(path: string, contentType: string): EmbeddedFile {
  let loaded: ReturnType<typeof load> | null = null;
  const load = async () => {
    const plain = await Bun.file(path).bytes();
    return {
      plain,
      gzipped: new Uint8Array(await compress(plain)),
      tag: `"${Bun.hash(plain).toString(36)}"`,
    };
  };

  return {
    async answer(request) {
      loaded ??= load();
      const { plain, gzipped, tag } = await loaded;
      const headers = { etag: tag, "cache-control": "no-cache", vary: "Accept-Encoding" };
      if (isUnchanged(request.headers.get("if-none-match"), tag)) {
        return new Response(null, { status: 304, headers });
      }
      return acceptsGzip(request.headers)
        ? new Response(gzipped, {
            headers: { ...headers, "content-type": contentType, "content-encoding": "gzip" },
          })
        : new Response(plain, { headers: { ...headers, "content-type": contentType } });
    },
  };
}

function acceptsGzip(headers: Headers): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(headers.get("accept-encoding") ?? "");
}
