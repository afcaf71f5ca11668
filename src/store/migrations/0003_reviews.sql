-- Reviews, their comments, and the totals that keep lists and usage from counting rows.

-- The long texts stand last: a list never reads as far as them.
CREATE TABLE reviews (
  id TEXT NOT NULL PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  repository_id TEXT NOT NULL REFERENCES repositories (id),
  repository TEXT NOT NULL,
  pull_request INTEGER NOT NULL,
  origin TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'completed', 'failed')),
  comments_count INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  started_at BIGINT,
  completed_at BIGINT,
  pull_request_url TEXT,
  head_sha TEXT,
  base_sha TEXT,
  failure_code TEXT,
  failure_message TEXT,
  files_analyzed INTEGER,
  tokens_used BIGINT,
  duration_seconds INTEGER,
  options TEXT NOT NULL,
  summary TEXT
);
CREATE INDEX reviews_newest ON reviews (organization_id, created_at, id);
CREATE INDEX reviews_status ON reviews (organization_id, status, created_at, id);
CREATE INDEX reviews_repository ON reviews (organization_id, repository, created_at, id);
CREATE INDEX reviews_repository_status ON reviews (organization_id, repository, status, created_at, id);
CREATE INDEX reviews_repository_id ON reviews (repository_id);

CREATE TABLE review_comments (
  review_id TEXT NOT NULL REFERENCES reviews (id),
  position INTEGER NOT NULL,
  path TEXT NOT NULL,
  line INTEGER NOT NULL,
  start_line INTEGER,
  severity TEXT NOT NULL,
  category TEXT NOT NULL,
  message TEXT NOT NULL,
  suggestion TEXT,
  engine TEXT NOT NULL,
  rule TEXT NOT NULL,
  cwe INTEGER,
  fingerprint TEXT NOT NULL,
  PRIMARY KEY (review_id, position)
);

-- One row a repository and one, with repository '', for the whole organization: it also carries the version.
CREATE TABLE review_totals (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  repository TEXT NOT NULL,
  pending INTEGER NOT NULL,
  processing INTEGER NOT NULL,
  completed INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  version BIGINT NOT NULL,
  PRIMARY KEY (organization_id, repository)
);

-- Of the reviews created in a UTC month, superseded ones left out.
CREATE TABLE review_periods (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  period TEXT NOT NULL,
  reviews INTEGER NOT NULL,
  completed INTEGER NOT NULL,
  tokens_used BIGINT NOT NULL,
  duration_seconds BIGINT NOT NULL,
  PRIMARY KEY (organization_id, period)
);
