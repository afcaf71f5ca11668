/**
 * Where the worker's script is: beside this file when run from source; in the executable, which holds everything in
 * one module at its root, under the path it has in src/ (scripts/build.ts names it as an entry point).
 */
export const workerScript = new URL(
  import.meta.url.endsWith("/worker-script.ts") ? "./worker.ts" : "./engines/rules/worker.ts",
  import.meta.url,
).href;
