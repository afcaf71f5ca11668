/** A few workers that all reviews of the process share. */
import type { AnalyzeFile, AnalyzePullRequest, Report } from "./analyze.ts";
import { Analyzer, type AnalyzerOptions } from "./analyzer.ts";

export class AnalyzerPool {
  readonly size: number;
  private readonly all: readonly Analyzer[];
  private readonly free: Analyzer[];
  private readonly waiting: ((analyzer: Analyzer) => void)[] = [];

  constructor(size: number, options: AnalyzerOptions) {
    this.size = size;
    this.all = Array.from({ length: size }, () => new Analyzer(options));
    this.free = [...this.all];
  }

  /** Throws AnalyzerFailure, or the signal's reason. */
  async run(request: AnalyzeFile | AnalyzePullRequest, signal: AbortSignal): Promise<Report> {
    const analyzer = await this.take();
    try {
      return await analyzer.run(request, signal);
    } finally {
      this.giveBack(analyzer);
    }
  }

  close(): void {
    for (const analyzer of this.all) analyzer.close();
  }

  private take(): Promise<Analyzer> | Analyzer {
    return this.free.pop() ?? new Promise((resolve) => this.waiting.push(resolve));
  }

  private giveBack(analyzer: Analyzer): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free.push(analyzer);
    else next(analyzer);
  }
}
