import { expect, test } from "bun:test";
import { changeSettings, getSettings } from "../../src/admin/instance-settings.ts";
import { refusalOf, startAdministration } from "./administration.ts";

test("the owner opens /metrics to other machines and closes it again", async () => {
  await using admin = await startAdministration();
  await admin.setsUp();
  expect(await admin.run(getSettings, {}, "admin")).toEqual({ metrics_open: false });
  expect(await admin.run(changeSettings, { metrics_open: true })).toEqual({ metrics_open: true });
  expect(await admin.run(changeSettings, {})).toEqual({ metrics_open: true });
  expect(await admin.run(changeSettings, { metrics_open: false })).toEqual({ metrics_open: false });
});

test("an admin who is not the owner may only read the settings", async () => {
  await using admin = await startAdministration();
  await admin.setsUp();
  expect((await refusalOf(admin.run(changeSettings, { metrics_open: true }, "admin"))).kind).toBe(
    "forbidden",
  );
});
