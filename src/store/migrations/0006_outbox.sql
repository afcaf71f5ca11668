-- Outbound webhooks: the endpoint, what is sent to it, and what came of every attempt.

CREATE TABLE webhook_endpoints (
  id TEXT NOT NULL PRIMARY KEY,
  organization_id TEXT NOT NULL UNIQUE REFERENCES organizations (id),
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  set_by_owner INTEGER NOT NULL,
  sealed_secret TEXT NOT NULL,
  sealed_previous_secret TEXT,
  previous_secret_expires_at BIGINT,
  created_at BIGINT NOT NULL,
  disabled_reason TEXT,
  disabled_at BIGINT
);

CREATE TABLE webhook_messages (
  id TEXT NOT NULL PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  review_id TEXT NOT NULL,
  event TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  body TEXT NOT NULL
);

-- How an endpoint has answered since its last success. No row: closed, and nothing has failed.
CREATE TABLE webhook_circuits (
  endpoint_id TEXT NOT NULL PRIMARY KEY,
  consecutive_failures INTEGER NOT NULL,
  failing_since BIGINT,
  openings INTEGER NOT NULL,
  open_until BIGINT
);

-- endpoint_id is no reference: the log outlives the endpoint.
CREATE TABLE webhook_deliveries (
  id TEXT NOT NULL PRIMARY KEY,
  message_id TEXT NOT NULL REFERENCES webhook_messages (id),
  endpoint_id TEXT NOT NULL,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed', 'cancelled')),
  attempts INTEGER NOT NULL,
  next_attempt_at BIGINT,
  created_at BIGINT NOT NULL,
  ended_at BIGINT
);
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (organization_id, created_at, id);
CREATE INDEX webhook_deliveries_state ON webhook_deliveries (organization_id, state, created_at, id);
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX webhook_deliveries_message ON webhook_deliveries (message_id);

-- endpoint_id and message_id repeat the delivery's: an endpoint's health is read without a join.
CREATE TABLE webhook_attempts (
  id TEXT NOT NULL PRIMARY KEY,
  delivery_id TEXT NOT NULL REFERENCES webhook_deliveries (id),
  endpoint_id TEXT NOT NULL,
  message_id TEXT NOT NULL,
  url TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  started_at BIGINT NOT NULL,
  duration_ms INTEGER NOT NULL,
  status INTEGER,
  error_class TEXT,
  error TEXT,
  response_head TEXT
);
CREATE INDEX webhook_attempts_delivery ON webhook_attempts (delivery_id, started_at);
CREATE INDEX webhook_attempts_endpoint ON webhook_attempts (endpoint_id, started_at);
