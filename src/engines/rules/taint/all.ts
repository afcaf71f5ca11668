/** Taint analysis within a file, by language; a new adapter is added here. */
import type { Detector } from "../detector.ts";

export const taintDetectors: readonly Detector[] = [];
