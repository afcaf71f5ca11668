-- Credits: the append-only ledger, and the balance of each period that one conditional statement guards.

CREATE TABLE credit_periods (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  period TEXT NOT NULL,
  total INTEGER NOT NULL,
  used INTEGER NOT NULL,
  reserved INTEGER NOT NULL,
  PRIMARY KEY (organization_id, period),
  CHECK (used >= 0 AND reserved >= 0 AND used + reserved <= total)
);

-- amount: grant and release add, reserve takes, adjust does either, settle is 0; their sum is what remains.
CREATE TABLE credit_entries (
  id TEXT NOT NULL PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  period TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('grant', 'adjust', 'reserve', 'settle', 'release')),
  amount INTEGER NOT NULL,
  review_id TEXT,
  created_at BIGINT NOT NULL
);
CREATE INDEX credit_entries_period ON credit_entries (organization_id, period);
CREATE UNIQUE INDEX credit_entries_reserved ON credit_entries (review_id) WHERE kind = 'reserve';
CREATE UNIQUE INDEX credit_entries_closed ON credit_entries (review_id) WHERE kind IN ('settle', 'release');
