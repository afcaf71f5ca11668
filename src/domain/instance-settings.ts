/** Settings of the whole instance, kept in the database under these names. */
import type { SettingStore } from "./store.ts";

const metricsOpenName = "metrics_open";

/** Whether /metrics may be read from other machines; from this one it always may. */
export async function metricsAreOpen(settings: SettingStore): Promise<boolean> {
  return (await settings.get(metricsOpenName)) === true;
}

export async function setMetricsOpen(settings: SettingStore, open: boolean): Promise<void> {
  await settings.put(metricsOpenName, open);
}
