/** Taint analysis within a file, by language; a new adapter is added here. */
import type { Detector } from "../detector.ts";
import { taintDetector } from "./detector.ts";
import { translateGo } from "./go.ts";
import { translateJava } from "./java.ts";
import { translateJavascript } from "./javascript.ts";
import { translatePhp } from "./php.ts";
import { translatePython } from "./python.ts";

export const taintDetectors: readonly Detector[] = [
  taintDetector("go", translateGo),
  taintDetector("java", translateJava),
  taintDetector("javascript", translateJavascript),
  taintDetector("php", translatePhp),
  taintDetector("python", translatePython),
];
