/** Taint analysis within a file, by language; a new adapter is added here. */
import type { Detector } from "../detector.ts";
import { taintDetector } from "./detector.ts";
import { translateJava } from "./java.ts";
import { translatePython } from "./python.ts";

export const taintDetectors: readonly Detector[] = [
  taintDetector("java", translateJava),
  taintDetector("python", translatePython),
];
