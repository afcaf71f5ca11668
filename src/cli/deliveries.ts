import { type Command, Option } from "commander";
import { listDeliveries, redeliver, redeliverFailed, showDelivery } from "../admin/deliveries.ts";
import type { DeliveryState } from "../domain/webhook.ts";
import { adminAction, given, wholeNumber } from "./admin-command.ts";
import type { Cli } from "./cli.ts";
import { printable } from "./printable.ts";
import { table } from "./table.ts";

const states = ["waiting", "delivered", "failed", "cancelled"] as const satisfies DeliveryState[];

/** Below `endpoint`. */
export function addDeliveries(endpoint: Command, cli: Cli): void {
  const deliveries = endpoint.command("deliveries").description("what was sent and what came of it");

  adminAction<{ state?: DeliveryState; limit: number; page: number }>(
    deliveries
      .command("list")
      .description("list deliveries, newest first")
      .addOption(new Option("--state <state>", "only these").choices(states))
      .option("--limit <n>", "how many, at most 100", wholeNumber, 20)
      .option("--page <n>", "which page", wholeNumber, 1),
    cli,
    async (admin, { state, limit, page }) => {
      const listed = await admin.run(listDeliveries, given({ state, limit, page }));
      const rows = listed.data.map((delivery) => [
        delivery.id,
        delivery.event,
        delivery.review_id,
        delivery.state,
        String(delivery.attempts),
        delivery.created_at,
        delivery.next_attempt_at ?? "",
      ]);
      const headings = ["ID", "EVENT", "REVIEW", "STATE", "ATTEMPTS", "CREATED", "NEXT ATTEMPT"];
      return { document: listed, text: table(headings, rows) };
    },
  );

  adminAction(
    deliveries.command("show").description("one delivery: its body and every attempt").argument("<id>"),
    cli,
    async (admin, _options, id = "") => {
      const shown = await admin.run(showDelivery, { id });
      const rows = shown.attempts_made.map((attempt) => [
        attempt.attempt === 0 ? "by hand" : String(attempt.attempt),
        attempt.started_at,
        `${attempt.duration_ms} ms`,
        attempt.status === null ? "" : String(attempt.status),
        attempt.error_class ?? "",
        attempt.error ?? "",
      ]);
      const attempts = table(["ATTEMPT", "STARTED", "TOOK", "STATUS", "ERROR", "CAUSE"], rows);
      const head = `${shown.event} ${shown.state} (webhook-id ${shown.message_id})\n${printable(shown.body)}\n`;
      return { document: shown, text: `${head}${attempts}` };
    },
  );

  adminAction<{ failedSince?: string }>(
    deliveries
      .command("redeliver")
      .description("send again, under the same webhook-id: one delivery, or all that failed since a time")
      .argument("[id]")
      .option("--failed-since <time>", "2026-11-21 or 2026-11-21T06:00:00Z"),
    cli,
    async (admin, { failedSince }, id) => {
      if ((id === undefined) === (failedSince === undefined)) {
        deliveries.error("error: give either a delivery's id or --failed-since");
      }
      if (failedSince !== undefined) {
        const again = await admin.run(redeliverFailed, { since: failedSince });
        return { document: again, text: `${again.redelivered}\n` };
      }
      const again = await admin.run(redeliver, { id: id ?? "" });
      return { document: again, text: `${again.id}\n` };
    },
  );
}
