import { type Command, Option } from "commander";
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
} from "../admin/endpoint.ts";
import { type ReviewEventName, reviewEvents } from "../domain/webhook.ts";
import { adminAction, given, type Result } from "./admin-command.ts";
import { type Cli, exitCodes } from "./cli.ts";
import { addDeliveries } from "./deliveries.ts";
import { table } from "./table.ts";

const secretOption = [
  "--secret-file <file>",
  "the secret to use instead of a new one; - is standard input",
] as const;

export function addEndpoint(program: Command, cli: Cli): void {
  const endpoint = program.command("endpoint").description("where review events are sent (outbound webhook)");
  addAddress(endpoint, cli);
  addSecret(endpoint, cli);
  addAllowed(endpoint, cli);
  addDeliveries(endpoint, cli);
}

function addAddress(endpoint: Command, cli: Cli): void {
  adminAction<{ url: string; event?: ReviewEventName[]; secretFile?: string }>(
    endpoint
      .command("set")
      .description("set the address and enable it; prints the secret when a new one was made")
      .requiredOption("--url <url>", "where events are POSTed")
      .addOption(new Option("--event <event...>", "only these events").choices(reviewEvents))
      .option(...secretOption),
    cli,
    async (admin, { url, event, secretFile }) => {
      const secret = secretFile === undefined ? undefined : await cli.readSecret(secretFile);
      return secretResult(await admin.run(setEndpoint, given({ url, events: event, secret })));
    },
  );
  adminAction(endpoint.command("show").description("the address and its state"), cli, async (admin) => {
    const shown = await admin.run(getEndpoint, {});
    const events = shown.events.length === 0 ? "all" : shown.events.join(", ");
    const state = shown.disabled_at === null ? "enabled" : `disabled: ${shown.disabled_reason}`;
    return { document: shown, text: table(["ADDRESS", "EVENTS", "STATE"], [[shown.url, events, state]]) };
  });
  adminAction(
    endpoint.command("enable").description("send again after it was disabled"),
    cli,
    async (admin) => {
      const enabled = await admin.run(enableEndpoint, {});
      return { document: enabled, text: `${enabled.url}\n` };
    },
  );
  adminAction(endpoint.command("remove").description("send no more events"), cli, async (admin) => {
    const removed = await admin.run(removeEndpoint, {});
    return { document: removed, text: `${removed.url}\n` };
  });
  adminAction(
    endpoint.command("test").description("send an example event now; fails unless the receiver takes it"),
    cli,
    async (admin) => {
      const tested = await admin.run(testEndpoint, {});
      const { status, error, duration_ms } = tested.attempt;
      if (!tested.delivered) cli.exitWith(exitCodes.failed);
      const outcome = tested.delivered ? "delivered" : `failed: ${error ?? "no reason known"}`;
      const answer = status === null ? "no answer" : `status ${status}`;
      return { document: tested, text: `${outcome} (${answer}, ${duration_ms} ms)\n` };
    },
  );
}

function addSecret(endpoint: Command, cli: Cli): void {
  adminAction<{ secretFile?: string }>(
    endpoint
      .command("rotate")
      .description("replace the secret and print the new one; the old one signs too for a day")
      .option(...secretOption),
    cli,
    async (admin, { secretFile }) => {
      const secret = secretFile === undefined ? undefined : await cli.readSecret(secretFile);
      return secretResult(await admin.run(rotateEndpointSecret, given({ secret })));
    },
  );
  adminAction(
    endpoint.command("promote").description("end a rotation now: only the new secret signs"),
    cli,
    async (admin) => {
      const promoted = await admin.run(promoteEndpointSecret, {});
      return { document: promoted, text: `${promoted.url}\n` };
    },
  );
}

function addAllowed(endpoint: Command, cli: Cli): void {
  adminAction(
    endpoint
      .command("allow")
      .description("let admins send webhooks to a private network or host, too; without one, list them")
      .argument("[cidr-or-host[:port]]"),
    cli,
    async (admin, _options, target) => {
      const { data } =
        target === undefined
          ? await admin.run(listAllowedTargets, {})
          : await admin.run(allowTarget, { target });
      return targets(data);
    },
  );
  adminAction(
    endpoint.command("disallow").description("take that back").argument("<cidr-or-host[:port]>"),
    cli,
    async (admin, _options, target = "") => targets((await admin.run(disallowTarget, { target })).data),
  );
}

function targets(data: readonly string[]): Result {
  return { document: data, text: data.map((target) => `${target}\n`).join("") };
}

/** Standard output has a secret that was made now, alone; nothing when there is none to show. */
function secretResult(set: { url: string; secret: string | null }): Result {
  return {
    document: set,
    text: set.secret === null ? "" : `${set.secret}\n`,
    note: `Review events go to ${set.url}${set.secret === null ? "" : "; its secret is shown only now"}.`,
  };
}
