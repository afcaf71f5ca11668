/** The end of a webhook attempt as one message to the writer: without its job's lease nothing after the first statement runs. */
import { fromProgress } from "../outbox-rows.ts";
import type { Prepared } from "../prepared.ts";
import { withStoreErrors } from "../store-error.ts";
import type { PreparedParts } from "./prepared.ts";

const endJob = `UPDATE jobs SET state = 'done', ended_at = ?, lease_token = NULL, lease_until = NULL
  WHERE id = ? AND lease_token = ? AND state = 'running'`;

const moveDelivery = `UPDATE webhook_deliveries SET state = ?, attempts = ?, next_attempt_at = ?, ended_at = ?
  WHERE id = ?`;

const insertAttempt = `INSERT INTO webhook_attempts (delivery_id, endpoint_id, message_id, id, url, attempt,
    started_at, duration_ms, status, error_class, error, response_head)
  SELECT id, endpoint_id, message_id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 FROM webhook_deliveries WHERE id = ?1`;

export function attemptFinisher({ writer, guard }: PreparedParts): Prepared["finishAttempt"] {
  return async (job, attempt, after, now) => {
    guard.refuseInside();
    const { deliveryId, id, url, startedAt, durationMs, status, errorClass, error, responseHead } = attempt;
    const { state, attempts, next_attempt_at, ended_at } = fromProgress(after);
    const { changes } = await withStoreErrors(
      writer.runBatch([
        { sql: endJob, parameters: [now.getTime(), job.id, job.leaseToken] },
        { sql: moveDelivery, parameters: [state, attempts, next_attempt_at, ended_at, deliveryId] },
        {
          sql: insertAttempt,
          parameters: [
            ...[deliveryId, id, url, attempt.attempt, startedAt.getTime(), durationMs],
            ...[status, errorClass, error, responseHead],
          ],
        },
      ]),
    );
    return changes > 0;
  };
}
