-- Organizations, the plans they are on and the keys that act for them.
-- Portable SQL: ids and JSON are TEXT, times are milliseconds since 1970 UTC, booleans 0 and 1.

CREATE TABLE plans (
  name TEXT NOT NULL PRIMARY KEY,
  credits_per_month INTEGER NOT NULL,
  requests_per_hour INTEGER NOT NULL
);

CREATE TABLE organizations (
  id TEXT NOT NULL PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  plan TEXT NOT NULL,
  credits_per_month INTEGER,
  requests_per_hour INTEGER,
  created_at BIGINT NOT NULL
);

CREATE TABLE api_keys (
  id TEXT NOT NULL PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  last_four TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT,
  expires_at BIGINT,
  revoked_at BIGINT
);
CREATE INDEX api_keys_organization ON api_keys (organization_id, created_at);

-- Counters that tell caches in any process to forget what they hold.
CREATE TABLE versions (
  name TEXT NOT NULL PRIMARY KEY,
  version BIGINT NOT NULL
);
