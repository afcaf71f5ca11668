/** How many requests an organization may make in an hour: its own number, else its plan's. */
import { AppError } from "../domain/errors.ts";
import type { Clock } from "../domain/runtime.ts";
import type { Store } from "../domain/store.ts";

/** A changed plan acts within this time. */
const trustedForMs = 500;

export interface RequestLimits {
  of(organizationId: string): Promise<number>;
}

export function createRequestLimits(deps: { store: Store; clock: Clock }): RequestLimits {
  const { store, clock } = deps;
  const known = new Map<string, { readAtMs: number; limit: Promise<number> }>();

  async function read(organizationId: string): Promise<number> {
    const organization = await store.organizations.get(organizationId);
    if (organization === null) throw new AppError("unauthenticated", "The key's organization is gone.");
    if (organization.requestsPerHour !== null) return organization.requestsPerHour;
    const plan = await store.plans.get(organization.plan);
    if (plan === null)
      throw new Error(`organization ${organizationId} is on plan ${organization.plan}, which is not there`);
    return plan.requestsPerHour;
  }

  return {
    of(organizationId) {
      const nowMs = clock.monotonicMs();
      const last = known.get(organizationId);
      if (last !== undefined && nowMs - last.readAtMs < trustedForMs) return last.limit;
      const limit = read(organizationId);
      known.set(organizationId, { readAtMs: nowMs, limit });
      limit.catch(() => known.delete(organizationId));
      return limit;
    },
  };
}
