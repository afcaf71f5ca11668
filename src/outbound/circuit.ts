/**
 * Leaves a receiver alone that keeps failing. Ten failures in a row open its circuit for a minute, and every failed try
 * after that for twice as long, up to an hour. While it is open nothing is sent and no delivery uses up an attempt; after
 * that one delivery tries, and its success closes the circuit for all.
 */
import type { Store } from "../domain/store.ts";
import type { Circuit } from "../domain/webhook.ts";

const failuresToOpen = 10;
const openMsFirst = 60_000;
const openMsMax = 3_600_000;
/** Longer than any attempt: were the process to die while it tries, another try follows. */
const probeMs = 30_000;

export interface Admitted {
  admitted: true;
  /** It is the one try that an open circuit lets through. */
  probe: boolean;
  /** There are failures on record, which a success wipes out. */
  failing: boolean;
}

export type Admission =
  | Admitted
  /** Come back then. */
  | { admitted: false; until: Date };

/** Whether a delivery to the endpoint may be attempted now. */
export async function admit(store: Store, endpointId: string, now: Date): Promise<Admission> {
  const { openUntil, consecutiveFailures } = await store.circuits.get(endpointId);
  const failing = consecutiveFailures > 0;
  if (openUntil === null) return { admitted: true, probe: false, failing };
  if (openUntil > now) return { admitted: false, until: openUntil };
  const probeEnds = new Date(now.getTime() + probeMs);
  const chosen = await store.circuits.claimProbe(endpointId, now, probeEnds);
  return chosen ? { admitted: true, probe: true, failing } : { admitted: false, until: probeEnds };
}

/** Counts a failed attempt, and opens the circuit when it was one too many. */
export async function countFailure(
  tx: Store,
  endpointId: string,
  failure: { startedAt: Date; endedAt: Date; probe: boolean },
): Promise<{ circuit: Circuit; openedUntil: Date | null }> {
  const circuit = await tx.circuits.countFailure(endpointId, failure.startedAt);
  // Attempts that were under way when the circuit opened fail after it: only a probe's failure opens it again.
  const closed = circuit.openUntil === null;
  if (circuit.consecutiveFailures < failuresToOpen || !(closed || failure.probe)) {
    return { circuit, openedUntil: null };
  }
  const openMs = Math.min(openMsMax, openMsFirst * 2 ** circuit.openings);
  const openedUntil = new Date(failure.endedAt.getTime() + openMs);
  await tx.circuits.open(endpointId, openedUntil);
  return { circuit, openedUntil };
}
