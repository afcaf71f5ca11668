-- What polling has seen of the pull requests of a repository whose code host sends no webhooks.

CREATE TABLE pull_request_heads (
  repository_id TEXT NOT NULL REFERENCES repositories (id),
  pull_request INTEGER NOT NULL,
  head_sha TEXT NOT NULL,
  PRIMARY KEY (repository_id, pull_request)
);

-- One row a repository whose heads have been recorded: even a repository without pull requests has its baseline.
CREATE TABLE pull_request_baselines (
  repository_id TEXT NOT NULL REFERENCES repositories (id),
  recorded_at BIGINT NOT NULL,
  PRIMARY KEY (repository_id)
);

-- The unfinished reviews of a pull request, which a newer push makes moot.
CREATE INDEX reviews_unfinished ON reviews (repository_id, pull_request) WHERE completed_at IS NULL;
