/** What an owner decides for the whole instance. */
import { Type } from "@sinclair/typebox";
import { metricsAreOpen, setMetricsOpen } from "../domain/instance-settings.ts";
import { operation } from "./operation.ts";
import { Empty } from "./shapes.ts";

const InstanceSettings = Type.Object({
  metrics_open: Type.Boolean({
    description: "Whether /metrics may be read from other machines, without a key.",
  }),
});

export const getSettings = operation({
  name: "settings.get",
  method: "GET",
  path: "/api/settings",
  role: "admin",
  summary: "Read the settings of the whole instance.",
  input: Empty,
  output: InstanceSettings,
  async run(context) {
    return { metrics_open: await metricsAreOpen(context.store.settings) };
  },
});

export const changeSettings = operation({
  name: "settings.set",
  method: "PATCH",
  path: "/api/settings",
  role: "owner",
  summary: "Change the settings of the whole instance.",
  input: Type.Partial(InstanceSettings, { additionalProperties: false }),
  output: InstanceSettings,
  async run({ store, logger, caller }, input) {
    if (input.metrics_open !== undefined) {
      await setMetricsOpen(store.settings, input.metrics_open);
      logger.info("settings changed", { ...input, by: caller.actorId });
    }
    return { metrics_open: await metricsAreOpen(store.settings) };
  },
});
