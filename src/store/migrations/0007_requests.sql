-- What requests leave behind: idempotency keys and counts against the rate limit; and the instance's settings.

CREATE TABLE idempotency_keys (
  organization_id TEXT NOT NULL,
  route TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  status INTEGER,
  headers TEXT,
  body TEXT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (organization_id, route, idempotency_key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

CREATE TABLE request_counts (
  hour TEXT NOT NULL,
  subject TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (hour, subject)
);

CREATE TABLE settings (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
);
