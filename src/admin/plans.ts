/** Plans, and what an organization may use beside its plan. A change holds for the current month at once. */
import { Type } from "@sinclair/typebox";
import { periodOf } from "../domain/credit.ts";
import { AppError } from "../domain/errors.ts";
import type { Organization } from "../domain/organization.ts";
import type { Plan } from "../domain/plan.ts";
import type { Store } from "../domain/store.ts";
import { operation } from "./operation.ts";
import { Empty } from "./shapes.ts";

const Amount = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });
const Override = Type.Union([Amount, Type.Null()]);
const PlanName = Type.String({
  pattern: "^[a-z0-9][a-z0-9_-]{0,39}$",
  description: "a plan's name: up to 40 lower-case letters, digits, - and _",
});

const PlanShape = Type.Object({
  name: PlanName,
  credits_per_month: Amount,
  requests_per_hour: Amount,
});

const OrganizationShape = Type.Object({
  slug: Type.String(),
  plan: Type.String(),
  credits_per_month: Amount,
  requests_per_hour: Amount,
  credits_overridden: Type.Boolean(),
  requests_overridden: Type.Boolean(),
});

export const listPlans = operation({
  name: "plans.list",
  method: "GET",
  path: "/api/plans",
  role: "admin",
  summary: "List the plans.",
  input: Empty,
  output: Type.Object({ data: Type.Array(PlanShape) }),
  async run(context) {
    return { data: (await context.store.plans.list()).map(shownPlan) };
  },
});

export const setPlan = operation({
  name: "plans.set",
  method: "PUT",
  path: "/api/plans/:name",
  role: "owner",
  summary: "Make or change a plan.",
  input: Type.Object(
    {
      name: PlanName,
      credits_per_month: Type.Optional(Amount),
      requests_per_hour: Type.Optional(Amount),
    },
    { additionalProperties: false },
  ),
  output: PlanShape,
  async run(context, input) {
    if (input.credits_per_month === undefined && input.requests_per_hour === undefined) {
      throw new AppError(
        "validation_failed",
        "Nothing to set: give credits_per_month, requests_per_hour or both.",
      );
    }
    const now = context.clock.now();
    const plan = await context.store.transaction(async (tx) => {
      const changed = mergedPlan(await tx.plans.get(input.name), input);
      await tx.plans.put(changed);
      for (const organization of await tx.organizations.list()) {
        if (organization.plan === changed.name) await adjustCredits(tx, organization, changed, now);
      }
      return changed;
    });
    context.logger.info("plan set", { ...plan, by: context.caller.actorId });
    return shownPlan(plan);
  },
});

export const setOrganizationPlan = operation({
  name: "organization.set_plan",
  method: "PATCH",
  path: "/api/organization",
  role: "owner",
  summary:
    "Put the organization on a plan, or let it use more or less than its plan; null takes the plan's amount again.",
  input: Type.Object(
    {
      plan: Type.Optional(PlanName),
      credits_per_month: Type.Optional(Override),
      requests_per_hour: Type.Optional(Override),
    },
    { additionalProperties: false },
  ),
  output: OrganizationShape,
  async run(context, input) {
    const now = context.clock.now();
    const { organization, plan } = await context.store.transaction(async (tx) => {
      const before = await organizationOf(tx, context.caller.organizationId);
      const after: Organization = {
        ...before,
        plan: input.plan ?? before.plan,
        creditsPerMonth:
          input.credits_per_month === undefined ? before.creditsPerMonth : input.credits_per_month,
        requestsPerHour:
          input.requests_per_hour === undefined ? before.requestsPerHour : input.requests_per_hour,
      };
      const { plan: name, creditsPerMonth, requestsPerHour } = after;
      const found = await tx.plans.get(name);
      if (found === null) throw new AppError("not_found", `There is no plan named ${name}.`);
      await tx.organizations.update(after.id, { plan: name, creditsPerMonth, requestsPerHour });
      await adjustCredits(tx, after, found, now);
      return { organization: after, plan: found };
    });
    context.logger.info("organization's plan set", { plan: plan.name, by: context.caller.actorId });
    return shownOrganization(organization, plan);
  },
});

export const getOrganizationPlan = operation({
  name: "organization.get_plan",
  method: "GET",
  path: "/api/organization",
  role: "member",
  summary: "What the organization may use.",
  input: Empty,
  output: OrganizationShape,
  async run(context) {
    const organization = await organizationOf(context.store, context.caller.organizationId);
    const plan = await context.store.plans.get(organization.plan);
    if (plan === null) throw new AppError("internal", `The plan ${organization.plan} is missing.`);
    return shownOrganization(organization, plan);
  },
});

async function organizationOf(store: Store, id: string): Promise<Organization> {
  const organization = await store.organizations.get(id);
  if (organization === null) throw new AppError("not_found", "There is no such organization.");
  return organization;
}

function mergedPlan(
  known: Plan | null,
  input: { name: string; credits_per_month?: number; requests_per_hour?: number },
): Plan {
  const creditsPerMonth = input.credits_per_month ?? known?.creditsPerMonth;
  const requestsPerHour = input.requests_per_hour ?? known?.requestsPerHour;
  if (creditsPerMonth !== undefined && requestsPerHour !== undefined) {
    return { name: input.name, creditsPerMonth, requestsPerHour };
  }
  throw new AppError("validation_failed", "A new plan needs both credits per month and requests per hour.");
}

/** A month without a grant yet gets it, with the new amount, on its first use. */
async function adjustCredits(tx: Store, organization: Organization, plan: Plan, now: Date): Promise<void> {
  const period = periodOf(now);
  if ((await tx.credits.balance(organization.id, period)) === null) return;
  const amount = organization.creditsPerMonth ?? plan.creditsPerMonth;
  await tx.credits.adjustTotal(organization.id, period, amount, now);
}

function shownPlan(plan: Plan) {
  return {
    name: plan.name,
    credits_per_month: plan.creditsPerMonth,
    requests_per_hour: plan.requestsPerHour,
  };
}

function shownOrganization(organization: Organization, plan: Plan) {
  return {
    slug: organization.slug,
    plan: plan.name,
    credits_per_month: organization.creditsPerMonth ?? plan.creditsPerMonth,
    requests_per_hour: organization.requestsPerHour ?? plan.requestsPerHour,
    credits_overridden: organization.creditsPerMonth !== null,
    requests_overridden: organization.requestsPerHour !== null,
  };
}
