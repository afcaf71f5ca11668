/** A worker that hangs or crashes on files of such names, and analyzes the others. */
import { type AnalyzeFile, analyze } from "../../../src/engines/rules/analyze.ts";

declare const self: Worker;

self.onmessage = async ({ data }: MessageEvent<AnalyzeFile>) => {
  const { path } = data.diff;
  if (path.includes("always-hangs") || (path.includes("hangs") && data.parses)) for (;;);
  if (path.includes("crashes")) process.exit(1);
  postMessage({ report: await analyze(data) });
};
postMessage({ ready: true });
