/** The state of the installation at a glance. */
import { Type } from "@sinclair/typebox";
import { periodOf } from "../domain/credit.ts";
import { version } from "../version.ts";
import { operation } from "./operation.ts";
import { Empty } from "./shapes.ts";

export const getStatus = operation({
  name: "status",
  method: "GET",
  path: "/api/status",
  role: "admin",
  summary: "The state of the installation at a glance.",
  input: Empty,
  output: Type.Object({
    version: Type.String(),
    site_url: Type.String(),
    organization: Type.String(),
    hosts: Type.Integer(),
    repositories: Type.Integer(),
    credits: Type.Union([Type.Object({ remaining: Type.Integer(), total: Type.Integer() }), Type.Null()]),
    jobs: Type.Array(Type.Object({ lane: Type.String(), state: Type.String(), count: Type.Integer() })),
  }),
  async run({ store, clock, caller, siteUrl }) {
    const { organizationId } = caller;
    const organization = await store.organizations.get(organizationId);
    const hosts = await store.codeHosts.list(organizationId);
    const repositories = await store.repositories.list(organizationId);
    const balance = await store.credits.balance(organizationId, periodOf(clock.now()));
    return {
      version,
      site_url: siteUrl(),
      organization: organization?.slug ?? organizationId,
      hosts: hosts.length,
      repositories: repositories.length,
      credits: balance && { remaining: balance.remaining, total: balance.total },
      jobs: [...(await store.jobs.counts())],
    };
  },
});
