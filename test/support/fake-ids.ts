import type { Ids } from "../../src/domain/runtime.ts";

/** Counts: `rev_00000000000000000000000001`, `job_00000000000000000000000002`, … and bytes all 128, halfway of their range. */
export function createFakeIds(): Ids {
  let last = 0;
  return {
    next(prefix) {
      last += 1;
      return `${prefix}_${String(last).padStart(26, "0")}`;
    },
    randomBytes(length) {
      last += 1;
      const bytes = new Uint8Array(length).fill(128);
      if (length >= 4) new DataView(bytes.buffer).setUint32(0, last);
      return bytes;
    },
  };
}
