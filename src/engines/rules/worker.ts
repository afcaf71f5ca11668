/** Runs in a Bun Worker: says when it is ready, then takes one request at a time and gives one answer each. */
import { type AnalyzeFile, type AnalyzePullRequest, analyze, type Report } from "./analyze.ts";

export type Answer = { ready: true } | { report: Report } | { failure: string };

declare const self: Worker;

self.onmessage = async (event: MessageEvent<AnalyzeFile | AnalyzePullRequest>) => {
  postMessage(await answer(event.data));
};
postMessage({ ready: true } satisfies Answer);

async function answer(request: AnalyzeFile | AnalyzePullRequest): Promise<Answer> {
  try {
    return { report: await analyze(request) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
