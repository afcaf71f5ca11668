/** One row and more for every table of a migration, so that the next ones meet a database that is in use. */
export const rowsAfter: Readonly<Record<number, readonly string[]>> = {
  1: [
    "INSERT INTO plans VALUES ('team', 1000, 5000)",
    "INSERT INTO organizations VALUES ('org_1', 'acme', 'Acme', 'team', NULL, 9, 1795240800000)",
    "INSERT INTO api_keys VALUES ('key_1', 'org_1', 'ci', 'admin', 'hash', 'abcd', 1795240800000, NULL, NULL, NULL)",
    "INSERT INTO versions VALUES ('api_keys', 1)",
  ],
  2: [
    "INSERT INTO code_hosts VALUES ('host_1', 'org_1', 'git', 'local', 'file:///{repository}', NULL, '{}', NULL, NULL, 1)",
    "INSERT INTO repositories VALUES ('repo_1', 'org_1', 'acme/shop', 'host_1', 1, 1, 1795240800000, 1, NULL)",
  ],
  3: [
    `INSERT INTO reviews (id, organization_id, repository_id, repository, pull_request, origin, status,
       comments_count, created_at, options, summary)
     VALUES ('rev_1', 'org_1', 'repo_1', 'acme/shop', 7, 'api', 'completed', 1, 1795240800000, '{}', 'Größe 😀')`,
    `INSERT INTO review_comments (review_id, position, path, line, severity, category, message, engine, rule, fingerprint)
     VALUES ('rev_1', 0, 'src/cart.ts', 2, 'high', 'security', 'Runs its input.', 'rules', 'js/eval', 'print')`,
    "INSERT INTO review_totals VALUES ('org_1', '', 0, 0, 1, 0, 3)",
    "INSERT INTO review_periods VALUES ('org_1', '2026-11', 1, 1, 120, 9)",
  ],
  4: [
    "INSERT INTO credit_periods VALUES ('org_1', '2026-11', 100, 1, 0)",
    "INSERT INTO credit_entries VALUES ('crd_1', 'org_1', '2026-11', 'grant', 100, NULL, 1795240800000)",
  ],
  5: [
    "INSERT INTO job_lanes VALUES ('review', 'org_1', 3, 0)",
    `INSERT INTO jobs (id, lane, organization_id, kind, state, priority, run_at, attempt, max_attempts, created_at, payload)
     VALUES ('job_1', 'review', 'org_1', 'review', 'queued', 0, 1, 0, 3, 1, '{}')`,
  ],
  6: [
    `INSERT INTO webhook_endpoints (id, organization_id, url, events, set_by_owner, sealed_secret, created_at)
     VALUES ('ep_1', 'org_1', 'https://ci.corp/', '[]', 1, 'v1.sealed', 1)`,
    "INSERT INTO webhook_circuits VALUES ('ep_1', 1, 1795240800000, 0, NULL)",
    "INSERT INTO webhook_messages VALUES ('msg_1', 'org_1', 'rev_1', 'review.completed', 1, '{}')",
    "INSERT INTO webhook_deliveries VALUES ('dlv_1', 'msg_1', 'ep_1', 'org_1', 'waiting', 1, 2, 1, NULL)",
    `INSERT INTO webhook_attempts (id, delivery_id, endpoint_id, message_id, url, attempt, started_at, duration_ms)
     VALUES ('att_1', 'dlv_1', 'ep_1', 'msg_1', 'https://ci.corp/', 1, 1, 12)`,
  ],
  7: [
    "INSERT INTO idempotency_keys VALUES ('org_1', 'POST /v1/reviews', 'key', 'print', 202, '{}', '{}', 1)",
    "INSERT INTO request_counts VALUES ('2026-11-21T12', 'org_1', 5)",
    "INSERT INTO settings VALUES ('name', '1')",
  ],
  8: [
    "INSERT INTO users VALUES ('usr_1', 'Ann', 'ann@acme.example', 1, NULL, '2026-11-21', '2026-11-21')",
    `INSERT INTO accounts (id, user_id, account_id, provider_id, created_at, updated_at)
     VALUES ('acc_1', 'usr_1', 'usr_1', 'credential', '2026-11-21', '2026-11-21')`,
    `INSERT INTO sessions (id, user_id, token, expires_at, created_at, updated_at)
     VALUES ('ses_1', 'usr_1', 'token', '2026-12-21', '2026-11-21', '2026-11-21')`,
    "INSERT INTO verifications VALUES ('ver_1', 'ann', 'value', '2026-12-21', '2026-11-21', '2026-11-21')",
    "INSERT INTO members VALUES ('mbr_1', 'org_1', 'usr_1', 'owner', '2026-11-21')",
    `INSERT INTO invitations (id, organization_id, inviter_id, email, status, expires_at, created_at)
     VALUES ('inv_1', 'org_1', 'usr_1', 'bob@acme.example', 'pending', '2026-12-21', '2026-11-21')`,
  ],
  9: [
    "INSERT INTO pull_request_heads VALUES ('repo_1', 7, 'd100a8a76a75b882400873985f39956e2a2280fd')",
    "INSERT INTO pull_request_baselines VALUES ('repo_1', 1795240800000)",
  ],
};
