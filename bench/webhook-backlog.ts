/** A data folder with organizations that have an endpoint each, and deliveries that wait to be made. */
import { loadConfig } from "../src/config.ts";
import { type Instance, openInstance } from "../src/instance.ts";
import { setEndpoint } from "../src/outbound/manage-endpoint.ts";
import { createOutbound, type Outbound } from "../src/outbound/outbound.ts";
import { aReview } from "./seed.ts";

export interface Backlog {
  /** PLUMBLINE_ variables that name the data folder and the key file. */
  environment: Readonly<Record<string, string>>;
  /** Where the deliveries go. */
  sink: string;
  organizations: number;
  /** Of all organizations together. */
  deliveries: number;
}

const announcementsPerTransaction = 500;

export async function fillBacklog(backlog: Backlog): Promise<void> {
  const surroundings = {
    environmentFile: null,
    systemWide: false,
    homeDirectory: "/",
    stderrIsTerminal: false,
  };
  const instance = await openInstance(loadConfig({}, { environment: backlog.environment, ...surroundings }));
  const outbound = createOutbound({
    ...instance,
    siteUrl: () => "http://localhost",
    ownListeners: () => [],
    extraCertificates: null,
  });
  await addOrganizations(instance, outbound, backlog);
  await announce(instance, outbound, backlog);
  await instance.close();
}

async function addOrganizations(instance: Instance, outbound: Outbound, backlog: Backlog): Promise<void> {
  const { store, clock } = instance;
  await store.plans.put({ name: "team", creditsPerMonth: 1_000, requestsPerHour: 5_000 });
  for (let n = 0; n < backlog.organizations; n += 1) {
    const organization = { id: `org_${n}`, slug: `org-${n}`, name: `Organization ${n}`, plan: "team" };
    const limits = { creditsPerMonth: null, requestsPerHour: null };
    await store.organizations.insert({ ...organization, ...limits, createdAt: clock.now() });
    const endpoint = {
      organizationId: organization.id,
      url: backlog.sink,
      events: [],
      secret: null,
      byOwner: true,
    };
    await setEndpoint({ ...instance, ...outbound }, endpoint);
  }
}

async function announce({ store, ids }: Instance, outbound: Outbound, backlog: Backlog): Promise<void> {
  for (let from = 0; from < backlog.deliveries; from += announcementsPerTransaction) {
    await store.transaction(async (tx) => {
      for (let n = from; n < Math.min(backlog.deliveries, from + announcementsPerTransaction); n += 1) {
        const organization = `org_${n % backlog.organizations}`;
        await outbound.announce(
          tx,
          "review.completed",
          aReview(ids.next("rev"), organization, "repo_shop", n),
        );
      }
    });
  }
}
