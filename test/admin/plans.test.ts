import { describe, expect, test } from "bun:test";
import { getOrganizationPlan, listPlans, setOrganizationPlan, setPlan } from "../../src/admin/plans.ts";
import { theOrganization } from "../../src/admin/setup.ts";
import { reserveCredit } from "../../src/review/charge-credits.ts";
import { storeKinds } from "../support/databases.ts";
import { refusalOf, startAdministration, type TestAdministration } from "./administration.ts";

describe.each([...storeKinds()])("plans, on %s", (_kind, open) => {
  test("change what their organizations may use this month, at once", async () => {
    await using admin = await installed(open);
    await uses(admin, 3);
    await admin.run(setPlan, { name: "team", credits_per_month: 10 });
    expect(await credits(admin)).toMatchObject({ total: 10, reserved: 3, remaining: 7 });
    await admin.run(setPlan, { name: "team", credits_per_month: 2000, requests_per_hour: 9 });
    expect(await credits(admin)).toMatchObject({ total: 2000, reserved: 3, remaining: 1997 });
    expect((await admin.run(listPlans, {})).data).toEqual([
      { name: "team", credits_per_month: 2000, requests_per_hour: 9 },
    ]);
  });

  test("are not set by saying nothing", async () => {
    await using admin = await installed(open);
    expect(await refusalOf(admin.run(setPlan, { name: "team" }))).toMatchObject({
      kind: "validation_failed",
    });
  });

  test("take nothing back that is used already", async () => {
    await using admin = await installed(open);
    await uses(admin, 3);
    await admin.run(setPlan, { name: "team", credits_per_month: 1 });
    expect(await credits(admin)).toMatchObject({ total: 3, remaining: 0 });
  });

  test("count from the first use of a month that nobody has used yet", async () => {
    await using admin = await installed(open);
    await admin.run(setPlan, { name: "team", credits_per_month: 10 });
    expect(await credits(admin)).toBeNull();
    await uses(admin, 1);
    expect(await credits(admin)).toMatchObject({ total: 10, remaining: 9 });
  });

  test("give way to what the organization has of its own, until that is taken back", async () => {
    await using admin = await installed(open);
    await uses(admin, 1);
    await admin.run(setOrganizationPlan, { credits_per_month: 50, requests_per_hour: 60 });
    await admin.run(setPlan, { name: "team", credits_per_month: 10 });
    expect(await credits(admin)).toMatchObject({ total: 50 });
    expect(await admin.run(getOrganizationPlan, {}, "member")).toEqual({
      ...{ slug: "acme", plan: "team", credits_per_month: 50, requests_per_hour: 60 },
      ...{ credits_overridden: true, requests_overridden: true },
    });
    await admin.run(setOrganizationPlan, { credits_per_month: null });
    expect(await credits(admin)).toMatchObject({ total: 10 });
    expect(await admin.run(getOrganizationPlan, {})).toMatchObject({
      ...{ credits_per_month: 10, credits_overridden: false },
      ...{ requests_per_hour: 60, requests_overridden: true },
    });
  });

  test("can be changed for another, which has to be there", async () => {
    await using admin = await installed(open);
    await uses(admin, 1);
    await admin.run(setPlan, { name: "large", credits_per_month: 9000, requests_per_hour: 90_000 });
    expect(await credits(admin)).toMatchObject({ total: 1000 });
    await admin.run(setOrganizationPlan, { plan: "large" });
    expect(await credits(admin)).toMatchObject({ total: 9000 });
    const { message } = await refusalOf(admin.run(setOrganizationPlan, { plan: "huge" }));
    expect(message).toBe("There is no plan named huge.");
    expect(await admin.run(getOrganizationPlan, {})).toMatchObject({ plan: "large" });
  });
});

test.each([
  ["without either amount", { name: "new" }],
  ["without credits", { name: "new", requests_per_hour: 1 }],
  ["without requests", { name: "new", credits_per_month: 1 }],
  ["with less than nothing", { name: "new", credits_per_month: -1, requests_per_hour: 1 }],
  ["with half a credit", { name: "new", credits_per_month: 0.5, requests_per_hour: 1 }],
  ["with a name that is none", { name: "New Plan", credits_per_month: 1, requests_per_hour: 1 }],
])("a new plan %s is refused", async (_what, input) => {
  await using admin = await installed();
  expect((await refusalOf(admin.run(setPlan, input))).kind).toBe("validation_failed");
  expect((await admin.run(listPlans, {})).data.map(({ name }) => name)).toEqual(["team"]);
});

async function installed(open?: Parameters<typeof startAdministration>[0]): Promise<TestAdministration> {
  const admin = await startAdministration(open);
  await admin.setsUp();
  return admin;
}

/** Reserves credits of this month, as reviews would. */
async function uses({ administration }: TestAdministration, count: number): Promise<void> {
  const { store, clock, ids } = administration;
  const { id } = await theOrganization(administration);
  for (let i = 0; i < count; i += 1) {
    await store.transaction((tx) => reserveCredit(tx, id, ids.next("rev"), clock.now()));
  }
}

async function credits({ administration }: TestAdministration) {
  const { id } = await theOrganization(administration);
  return administration.store.credits.balance(id, "2026-11");
}
