/**
 * A process that announces events and delivers them, for a test to kill: `bun deliver-until-killed.ts DATA_DIR URL COUNT`.
 * It prints the id of every event once it is committed, and stays until it is killed.
 */
import { writeSync } from "node:fs";
import { createKeyFileContents, createSecretBox } from "../../src/crypto.ts";
import type { Logger } from "../../src/domain/runtime.ts";
import { setEndpoint } from "../../src/outbound/manage-endpoint.ts";
import { createOutbound } from "../../src/outbound/outbound.ts";
import { openStore } from "../../src/store/open.ts";
import { createIds, systemClock } from "../../src/system.ts";
import { createWorker } from "../../src/worker/worker.ts";
import { createFakeIds } from "../support/fake-ids.ts";
import { addOrganization, aReview, secret } from "./start-outbound.ts";

const [dataDir = "", url = "", count = ""] = process.argv.slice(2);
const clock = systemClock;
const ids = createIds(clock);
const silent = () => undefined;
const logger: Logger = { debug: silent, info: silent, warn: silent, error: console.error };
// The same key in every life of the process.
const secretBox = createSecretBox(createKeyFileContents(createFakeIds()), { ids });
const { store } = await openStore({ databaseUrl: null, dataDir, clock, ids, logger });
const outbound = createOutbound({
  ...{ clock, ids, logger, secretBox },
  siteUrl: () => "http://localhost:8080",
  ownListeners: () => [],
  extraCertificates: null,
});
if ((await store.organizations.get("org_acme")) === null) {
  await addOrganization(store, "acme", clock.now());
  const { addresses } = outbound;
  const input = { organizationId: "org_acme", url, events: [], secret, byOwner: true };
  await setEndpoint({ store, clock, ids, secretBox, addresses }, input);
}
const worker = createWorker({
  ...{ store, clock, ids, logger },
  handlers: { deliver: outbound.deliver },
  concurrency: { review: 1, deliver: 8, ingest: 1, cron: 1 },
});
await worker.start();
for (let i = 0; i < Number(count); i += 1) {
  const review = aReview("review.completed", "acme", ids.next("rev"), clock.now());
  await store.transaction((tx) => outbound.announce(tx, "review.completed", review));
  writeSync(1, `${review.id}\n`);
  worker.wake();
}
