-- Code hosts and the repositories on which the service is enabled.

CREATE TABLE code_hosts (
  id TEXT NOT NULL PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  web_url TEXT,
  settings TEXT NOT NULL,
  sealed_token TEXT,
  sealed_webhook_secret TEXT,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX code_hosts_name ON code_hosts (organization_id, name);

CREATE TABLE repositories (
  id TEXT NOT NULL PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  name TEXT NOT NULL,
  code_host_id TEXT NOT NULL REFERENCES code_hosts (id),
  auto_review INTEGER NOT NULL,
  reviews_count INTEGER NOT NULL,
  last_review_at BIGINT,
  created_at BIGINT NOT NULL,
  disabled_at BIGINT
);
CREATE UNIQUE INDEX repositories_name ON repositories (organization_id, name);
CREATE INDEX repositories_code_host ON repositories (code_host_id);
