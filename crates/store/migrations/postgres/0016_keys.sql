-- When a key took its state; null for a key of an older release, which has had it since it was made.
ALTER TABLE signing_key ADD COLUMN state_date timestamptz;

-- Text in a key sorts by its bytes, as SQLite does.
ALTER TABLE signing_key ALTER COLUMN purpose TYPE text COLLATE "C", ALTER COLUMN state TYPE text COLLATE "C";

-- Of each purpose one key signs at most, and one comes next.
CREATE UNIQUE INDEX signing_key_in_use ON signing_key (purpose, state) WHERE state IN ('next', 'active');
