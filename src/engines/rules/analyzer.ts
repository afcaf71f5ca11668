/** One worker and its life: started when first needed, ended when it hangs, crashes, has done enough or is idle. */
import type { AnalyzeFile, AnalyzePullRequest, Report } from "./analyze.ts";
import { watchBudget } from "./work-budget.ts";
import type { Answer } from "./worker.ts";

/** The worker gave no report: it took too long, crashed, or refused. The message completes "its analysis …". */
export class AnalyzerFailure extends Error {}

export interface AnalyzerOptions {
  /** The script that the worker runs. */
  script: string;
  /** The longest that one request may compute. */
  budgetMs: number;
}

/** Files, and bytes of them, after which a worker is replaced: WebAssembly memory grows and never shrinks. */
const requestsMax = 2_000;
const bytesMax = 8_000_000;
const idleMs = 30_000;
/** The longest that a worker's start may compute. */
const startBudgetMs = 30_000;

export class Analyzer {
  private readonly options: AnalyzerOptions;
  private worker: Worker | null = null;
  private isReady = false;
  private answered = 0;
  private readBytes = 0;
  private idle: Timer | null = null;

  constructor(options: AnalyzerOptions) {
    this.options = options;
  }

  /** One request at a time. Throws AnalyzerFailure, or the signal's reason; the worker is then a new one next time. */
  async run(request: AnalyzeFile | AnalyzePullRequest, signal: AbortSignal): Promise<Report> {
    signal.throwIfAborted();
    if (this.idle !== null) clearTimeout(this.idle);
    const { promise, resolve, reject } = Promise.withResolvers<Report>();
    const watch = (budgetMs: number) =>
      watchBudget(budgetMs, () => reject(new AnalyzerFailure(`took longer than ${budgetMs / 1000} s`)));
    let endWatch = watch(this.isReady ? this.options.budgetMs : startBudgetMs);
    const ready = () => {
      this.isReady = true;
      endWatch();
      endWatch = watch(this.options.budgetMs);
    };
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort);
    try {
      this.ask(request, { ready, resolve, reject });
      const report = await promise;
      this.answered += 1;
      this.readBytes += sizeOf(request);
      if (this.answered >= requestsMax || this.readBytes >= bytesMax) this.close();
      return report;
    } catch (error) {
      this.close();
      throw error;
    } finally {
      endWatch();
      signal.removeEventListener("abort", abort);
      this.rest();
    }
  }

  close(): void {
    if (this.idle !== null) clearTimeout(this.idle);
    this.worker?.terminate();
    this.worker = null;
    this.isReady = false;
    this.answered = 0;
    this.readBytes = 0;
  }

  private ask(
    request: AnalyzeFile | AnalyzePullRequest,
    then: {
      ready: () => void;
      resolve: (report: Report) => void;
      reject: (error: AnalyzerFailure) => void;
    },
  ): void {
    // The timer of the budget keeps the process alive while there is work; the worker itself never does.
    this.worker ??= new Worker(this.options.script, { ref: false });
    const worker = this.worker;
    worker.onmessage = (event: MessageEvent<Answer>) => {
      if (worker !== this.worker) return; // it was ended while it said this
      if ("ready" in event.data) then.ready();
      else if ("report" in event.data) then.resolve(event.data.report);
      else then.reject(new AnalyzerFailure(`failed: ${event.data.failure}`));
    };
    worker.onerror = (event) => then.reject(new AnalyzerFailure("crashed", { cause: event.message }));
    worker.addEventListener("close", () => then.reject(new AnalyzerFailure("ended early")));
    worker.postMessage(request);
  }

  /** An idle worker does not keep its memory for long. */
  private rest(): void {
    if (this.worker === null) return;
    this.idle = setTimeout(() => this.close(), idleMs);
    this.idle.unref();
  }
}

function sizeOf(request: AnalyzeFile | AnalyzePullRequest): number {
  const files = request.kind === "file" ? [request] : request.files;
  return files.reduce((sum, { head, base }) => sum + (head?.byteLength ?? 0) + (base?.byteLength ?? 0), 0);
}
