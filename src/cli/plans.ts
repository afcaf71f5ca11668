import type { Command } from "commander";
import { getOrganizationPlan, listPlans, setOrganizationPlan, setPlan } from "../admin/plans.ts";
import { adminAction, given, type Result, wholeNumber, wholeNumberOrPlan } from "./admin-command.ts";
import type { Cli } from "./cli.ts";
import { table } from "./table.ts";

const headings = ["PLAN", "CREDITS A MONTH", "REQUESTS AN HOUR"];

export function addPlans(program: Command, cli: Cli): void {
  const plans = program.command("plans").description("what the organization may use in an hour and a month");

  adminAction(plans.command("list").description("list the plans"), cli, async (admin) => {
    const { data } = await admin.run(listPlans, {});
    return { document: data, text: table(headings, data.map(planRow)) };
  });

  adminAction<{ credits?: number; requestsPerHour?: number }>(
    plans
      .command("set")
      .description("make a plan or change it; the current month changes at once")
      .argument("<plan>")
      .option("--credits <n>", "review credits a month", wholeNumber)
      .option("--requests-per-hour <n>", "API requests an hour", wholeNumber),
    cli,
    async (admin, { credits, requestsPerHour }, name = "") => {
      const plan = await admin.run(
        setPlan,
        given({ name, credits_per_month: credits, requests_per_hour: requestsPerHour }),
      );
      return { document: plan, text: table(headings, [planRow(plan)]) };
    },
  );

  adminAction(plans.command("show").description("what the organization may use now"), cli, async (admin) =>
    shownUse(await admin.run(getOrganizationPlan, {})),
  );

  adminAction<{ credits?: Override; requestsPerHour?: Override }>(
    plans
      .command("use")
      .description("put the organization on a plan, or let it use more or less than its plan")
      .argument("[plan]")
      .option(
        "--credits <n>",
        "review credits a month for this organization; `plan` = as the plan says",
        wholeNumberOrPlan,
      )
      .option(
        "--requests-per-hour <n>",
        "API requests an hour for this organization; `plan` = as the plan says",
        wholeNumberOrPlan,
      ),
    cli,
    async (admin, { credits, requestsPerHour }, plan) =>
      shownUse(
        await admin.run(
          setOrganizationPlan,
          given({
            plan,
            credits_per_month: overrideOf(credits),
            requests_per_hour: overrideOf(requestsPerHour),
          }),
        ),
      ),
  );
}

type Override = number | "plan";

/** In the operation's input, null takes the plan's amount again. */
function overrideOf(given: Override | undefined): number | null | undefined {
  return given === "plan" ? null : given;
}

interface Amounts {
  credits_per_month: number;
  requests_per_hour: number;
}

function planRow(plan: Amounts & { name: string }): string[] {
  return [plan.name, String(plan.credits_per_month), String(plan.requests_per_hour)];
}

function shownUse(
  use: Amounts & { plan: string; credits_overridden: boolean; requests_overridden: boolean },
): Result {
  const amount = (value: number, own: boolean): string => (own ? `${value} (its own)` : String(value));
  const row = [
    use.plan,
    amount(use.credits_per_month, use.credits_overridden),
    amount(use.requests_per_hour, use.requests_overridden),
  ];
  return { document: use, text: table(headings, [row]) };
}
