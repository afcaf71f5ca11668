/** Credits and use of the current month (specification §4). */
import { Elysia } from "elysia";
import { type CreditBalance, type Period, periodEnd, periodOf } from "../../domain/credit.ts";
import type { Store } from "../../domain/store.ts";
import { ensureGrant } from "../../review/charge-credits.ts";
import { callerOf } from "../call.ts";
import { documented } from "../openapi/documented.ts";
import { NoParameters } from "../schemas/building-blocks.ts";
import { Usage } from "../schemas/usage.ts";
import type { ServerDeps } from "../server-deps.ts";

export function usageRoutes({ store, clock }: ServerDeps) {
  return new Elysia().get(
    "/v1/usage",
    async ({ request }) => {
      const { organizationId } = callerOf(request);
      const now = clock.now();
      const period = periodOf(now);
      const { remaining, total } = await balanceOf(store, organizationId, period, now);
      const usage = await store.reviews.usage(organizationId, period);
      return {
        credits: { remaining, total, resets_at: periodEnd(period).toISOString() },
        usage: {
          reviews_this_month: usage.reviews,
          tokens_used: usage.tokensUsed,
          avg_review_time_seconds: Math.round(usage.averageSeconds),
        },
      };
    },
    {
      query: NoParameters,
      response: { 200: Usage },
      detail: documented({
        operationId: "getUsage",
        tag: "Usage",
        summary: "Credits and use of this month",
        description:
          "A month is a UTC calendar month. A review costs one credit, which a failed one returns.",
        example: {
          credits: { remaining: 958, total: 1000, resets_at: "2026-12-01T00:00:00.000Z" },
          usage: { reviews_this_month: 42, tokens_used: 0, avg_review_time_seconds: 4 },
        },
      }),
    },
  );
}

/** The first look at a month writes its grant, as its first review would. */
async function balanceOf(
  store: Store,
  organizationId: string,
  period: Period,
  now: Date,
): Promise<Pick<CreditBalance, "remaining" | "total">> {
  const balance = await store.credits.balance(organizationId, period);
  if (balance !== null) return balance;
  return store.transaction(async (tx) => {
    await ensureGrant(tx, organizationId, now);
    return (await tx.credits.balance(organizationId, period)) ?? { remaining: 0, total: 0 };
  });
}
