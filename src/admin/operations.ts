/** Everything an admin can do, in one list. */
import type { LocalOperation, Operation } from "./operation.ts";

/** Served under /api, over the control socket, and run by the command line. */
export const operations: readonly Operation[] = [];

/** Never served over HTTP. */
export const localOperations: readonly LocalOperation[] = [];
