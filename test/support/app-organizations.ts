/** Whom the test app works for. */
import type { OpenStore } from "../../src/domain/store.ts";

/** `org_<slug>`, with the repository `acme/shop` on a code host of its own. */
export async function addOrganization(
  store: OpenStore,
  slug: string,
  creditsPerMonth: number | null,
  createdAt: Date,
): Promise<void> {
  const organizationId = `org_${slug}`;
  await store.plans.put({ name: "team", creditsPerMonth: 1_000, requestsPerHour: 5_000 });
  await store.organizations.insert({
    id: organizationId,
    slug,
    name: slug,
    plan: "team",
    creditsPerMonth,
    requestsPerHour: null,
    createdAt,
  });
  await store.codeHosts.insert({
    id: `host_${slug}`,
    organizationId,
    kind: "git",
    name: "local",
    url: "file:///srv/{repository}.git",
    webUrl: null,
    settings: {},
    sealedToken: null,
    sealedWebhookSecret: null,
    createdAt,
  });
  await store.repositories.insert({
    id: `repo_${slug}`,
    organizationId,
    name: "acme/shop",
    codeHostId: `host_${slug}`,
    autoReview: false,
    createdAt,
    disabledAt: null,
  });
}

/** The organization wants every event. */
export async function addEndpoint(store: OpenStore, slug: string, createdAt: Date): Promise<void> {
  await store.endpoints.put({
    id: `ep_${slug}`,
    organizationId: `org_${slug}`,
    url: "https://ci.test/hook",
    events: [],
    setByOwner: true,
    sealedSecret: "",
    sealedPreviousSecret: null,
    previousSecretExpiresAt: null,
    createdAt,
    disabledReason: null,
    disabledAt: null,
  });
}
