import type { Logger } from "../../../src/domain/runtime.ts";

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
