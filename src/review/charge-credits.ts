/**
 * A review costs a credit: reserved when it is asked for by API or taken up after an event, used when it completes
 * (`credits.settle`), returned when it fails (`credits.release`). A period's grant is written at its first use,
 * whether or not the monthly job has run.
 */
import { creditsPerReview, type Period, periodOf } from "../domain/credit.ts";
import type { Organization } from "../domain/organization.ts";
import { defaultPlan } from "../domain/plan.ts";
import type { Store } from "../domain/store.ts";

/** The review's row must exist. */
export async function reserveCredit(
  tx: Store,
  organizationId: string,
  reviewId: string,
  at: Date,
): Promise<"reserved" | "insufficient"> {
  await ensureGrant(tx, organizationId, at);
  return tx.credits.reserve(organizationId, periodOf(at), reviewId, creditsPerReview, at);
}

/** Makes the grant of the period that `at` is in, unless it is there. */
export async function ensureGrant(tx: Store, organizationId: string, at: Date): Promise<void> {
  const period = periodOf(at);
  if ((await tx.credits.balance(organizationId, period)) !== null) return;
  const organization = await tx.organizations.get(organizationId);
  if (organization !== null) await grantPeriod(tx, organization, period, at);
}

/** What the organization's plan gives a month, unless the organization has a number of its own. */
export async function grantPeriod(
  tx: Store,
  organization: Organization,
  period: Period,
  at: Date,
): Promise<void> {
  const plan = (await tx.plans.get(organization.plan)) ?? defaultPlan;
  const amount = organization.creditsPerMonth ?? plan.creditsPerMonth;
  await tx.credits.grant(organization.id, period, amount, at);
}
