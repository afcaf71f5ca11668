-- The queue. A row of job_lanes is the mutex of an organization's claims in a lane, and remembers its turn.

CREATE TABLE job_lanes (
  lane TEXT NOT NULL,
  organization_id TEXT NOT NULL,
  cap INTEGER NOT NULL,
  last_claim_at BIGINT NOT NULL,
  PRIMARY KEY (lane, organization_id)
);

CREATE TABLE jobs (
  id TEXT NOT NULL PRIMARY KEY,
  lane TEXT NOT NULL,
  organization_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'superseded', 'cancelled')),
  priority INTEGER NOT NULL,
  run_at BIGINT NOT NULL,
  attempt INTEGER NOT NULL,
  max_attempts INTEGER NOT NULL,
  lock_key TEXT,
  dedupe_key TEXT UNIQUE,
  lease_token TEXT,
  lease_until BIGINT,
  created_at BIGINT NOT NULL,
  ended_at BIGINT,
  last_error TEXT,
  payload TEXT NOT NULL
);
-- Is anything due in this organization?
CREATE INDEX jobs_due ON jobs (lane, organization_id, run_at, lock_key) WHERE state = 'queued';
-- Which one goes first? The lock key is in it so that waiting ones are passed over without reading their rows.
CREATE INDEX jobs_order ON jobs (lane, organization_id, priority DESC, run_at, id, lock_key) WHERE state = 'queued';
CREATE INDEX jobs_running ON jobs (lane, organization_id) WHERE state = 'running';
-- The net under the claim: two jobs with one lock key can never run at once.
CREATE UNIQUE INDEX jobs_lock ON jobs (lock_key) WHERE state = 'running';
CREATE INDEX jobs_failed ON jobs (lane) WHERE state = 'failed';
CREATE INDEX jobs_ended ON jobs (ended_at) WHERE ended_at IS NOT NULL;
