/** Everything an admin can do, in one list. */
import { AppError } from "../domain/errors.ts";
import type { Caller } from "../domain/organization.ts";
import { version } from "../version.ts";
import type { Administration } from "./context.ts";
import { listDeliveries, redeliver, redeliverFailed, showDelivery } from "./deliveries.ts";
import {
  allowTarget,
  disallowTarget,
  enableEndpoint,
  getEndpoint,
  listAllowedTargets,
  promoteEndpointSecret,
  removeEndpoint,
  rotateEndpointSecret,
  setEndpoint,
  testEndpoint,
} from "./endpoint.ts";
import { addHost, listHosts, removeHost } from "./hosts.ts";
import { changeSettings, getSettings } from "./instance-settings.ts";
import { createKey, listKeys, revokeKey } from "./keys.ts";
import { type LocalOperation, type Operation, runLocalOperation, runOperation } from "./operation.ts";
import { getOrganizationPlan, listPlans, setOrganizationPlan, setPlan } from "./plans.ts";
import { disableRepository, enableRepository, listRepositories } from "./repositories.ts";
import { createReview, getReview } from "./reviews.ts";
import { addRule, listRules, removeRule, showRule } from "./rules.ts";
import { setUp, theOrganization } from "./setup.ts";
import { getStatus } from "./status.ts";

/** Served under /api, over the control socket, and run by the command line. */
export const operations: readonly Operation[] = [
  getStatus,
  listRules,
  showRule,
  addRule,
  removeRule,
  createKey,
  listKeys,
  revokeKey,
  addHost,
  listHosts,
  removeHost,
  enableRepository,
  disableRepository,
  listRepositories,
  createReview,
  getReview,
  getEndpoint,
  setEndpoint,
  removeEndpoint,
  enableEndpoint,
  rotateEndpointSecret,
  promoteEndpointSecret,
  testEndpoint,
  listAllowedTargets,
  allowTarget,
  disallowTarget,
  listDeliveries,
  showDelivery,
  redeliver,
  redeliverFailed,
  listPlans,
  setPlan,
  getOrganizationPlan,
  setOrganizationPlan,
  getSettings,
  changeSettings,
];

/** Never served over HTTP. */
export const localOperations: readonly LocalOperation[] = [setUp];

/** The same with what they work on already given, for the HTTP server. */
export function boundOperations(administration: Administration) {
  return operations.map((o) => ({
    ...o,
    run: (caller: Caller, input: unknown) => runOperation(o, { ...administration, caller }, input),
  }));
}

/** Runs any of them by name as the machine's owner: for the control socket, and for a command without a server. */
export async function runAsOwner(
  administration: Administration,
  name: string,
  input: unknown,
): Promise<unknown> {
  const local = localOperations.find((o) => o.name === name);
  if (local !== undefined) return runLocalOperation(local, administration, input);
  const o = operations.find((each) => each.name === name);
  if (o === undefined) {
    throw new AppError("not_found", `This version of Plumbline (${version}) cannot do ${name}.`);
  }
  const organization = await theOrganization(administration);
  const caller: Caller = { organizationId: organization.id, role: "owner", actorId: "cli" };
  return runOperation(o, { ...administration, caller }, input);
}
