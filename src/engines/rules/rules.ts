/** The built-in engine: rules, scanners and diff checks that need no model and no network. */
import type { ReviewEngine } from "../../domain/review-engine.ts";
import type { Logger } from "../../domain/runtime.ts";

export interface RulesEngineOptions {
  logger: Logger;
}

export function createRulesEngine(_options: RulesEngineOptions): ReviewEngine {
  throw new Error("not built yet");
}
