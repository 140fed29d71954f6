-- Kept answers are long. A table that is ordered by its key cannot hold a row of over 1,002 bytes in one place: the rest
-- of each took a page of its own, 4 KiB to be written with every keyed write. In an ordinary table rows stand as they
-- come, several to a page.
CREATE TABLE idempotency_key_rows (
    organization BLOB    NOT NULL,
    actor_kind   TEXT    NOT NULL,
    actor_id     TEXT    NOT NULL,
    key          TEXT    NOT NULL,
    fingerprint  BLOB    NOT NULL,
    status       INTEGER NOT NULL,
    location     TEXT,
    body         BLOB    NOT NULL,
    created_date INTEGER NOT NULL,
    etag         TEXT,
    CONSTRAINT idempotency_key_pkey PRIMARY KEY (organization, actor_kind, actor_id, key)
) STRICT;
INSERT INTO idempotency_key_rows
SELECT organization, actor_kind, actor_id, key, fingerprint, status, location, body, created_date, etag
FROM idempotency_key ORDER BY created_date;
DROP TABLE idempotency_key;
ALTER TABLE idempotency_key_rows RENAME TO idempotency_key;
CREATE INDEX idempotency_key_by_age ON idempotency_key (created_date);
