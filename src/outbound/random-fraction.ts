import type { Ids } from "../domain/runtime.ts";

/** From 0 to just under 1, evenly. */
export function randomFraction(ids: Pick<Ids, "randomBytes">): number {
  return Buffer.from(ids.randomBytes(4)).readUInt32BE() / 2 ** 32;
}
