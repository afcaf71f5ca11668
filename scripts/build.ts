/**
 * Makes dist/plumbline: the service, its workers and its assets in one executable.
 *
 * Two settings are kept off on purpose. Minification makes Elysia lose what its handlers are given (it reads their
 * source), and `autoload…` would let a `.env` or `bunfig.toml` in the folder of the start change what runs.
 */
import { mkdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import packageJson from "../package.json" with { type: "json" };
import { compressWasm } from "./compress-wasm.ts";

const root = join(import.meta.dir, "..");
/** The program, and the scripts of its workers: each finds its own by its path under src/. */
const entrypoints = ["src/main.ts", "src/store/sqlite-writer.ts", "src/engines/rules/worker.ts"];

export interface BuildRequest {
  /** Bun's name of another platform without `bun-`: `linux-arm64`, `linux-x64-musl`; null = this machine's. */
  target: string | null;
}

/** Returns the executable's path. Throws when the bundle has an error. */
export async function buildExecutable(request: BuildRequest): Promise<string> {
  const folder = join(root, "dist");
  await mkdir(folder, { recursive: true });
  const outfile = join(folder, request.target === null ? "plumbline" : `plumbline-${request.target}`);
  await Bun.build({
    entrypoints: entrypoints.map((path) => join(root, path)),
    compile: {
      outfile,
      autoloadDotenv: false,
      autoloadBunfig: false,
      ...(request.target === null ? {} : { target: `bun-${request.target}` as Bun.Build.CompileTarget }),
    },
    format: "esm",
    bytecode: true,
    minify: false,
    sourcemap: "linked",
    define: {
      "process.env.NODE_ENV": JSON.stringify("production"),
      BUILD_COMMIT: JSON.stringify(await currentCommit()),
    },
    plugins: [compressWasm],
  });
  return outfile;
}

/** `0123456789ab`, with `+changes` where the work tree differs from it; empty outside of a repository. */
async function currentCommit(): Promise<string> {
  const git = async (...args: string[]) =>
    (await Bun.$`git -C ${root} ${args}`.nothrow().quiet().text()).trim();
  const commit = await git("rev-parse", "--short=12", "HEAD");
  if (commit === "") return "";
  return (await git("status", "--porcelain", "--untracked-files=no")) === "" ? commit : `${commit}+changes`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { target: { type: "string" } } });
  const startedAt = performance.now();
  const outfile = await buildExecutable({ target: values.target ?? null });
  const megabytes = ((await stat(outfile)).size / 1e6).toFixed(1);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.error(
    `==> Built dist/${basename(outfile)} ${packageJson.version}: ${megabytes} MB in ${seconds} s`,
  );
}

if (import.meta.main) {
  await main().catch((error) => {
    // A bundle's errors say where they are; a wrong argument's need no stack.
    console.error(error instanceof AggregateError ? error : `build: ${error.message}`);
    process.exit(1);
  });
}
