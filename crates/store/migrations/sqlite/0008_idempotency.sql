-- Answers by Idempotency-Key, kept for 24 hours. A key belongs to its caller.
--
-- Not WITHOUT ROWID: a table that is ordered by its key keeps rows of over 1,002 bytes on pages of their own, 4 KiB to be
-- written with every keyed write.

CREATE TABLE idempotency_key (
    organization    BLOB    NOT NULL,
    actor_kind      TEXT    NOT NULL,
    actor_id        TEXT    NOT NULL,
    key             TEXT    NOT NULL,
    fingerprint     BLOB    NOT NULL, -- SHA-256 of the request
    status          INTEGER NOT NULL,
    location        TEXT,
    etag            TEXT,
    body            BLOB, -- NULL: a text that it showed was redacted
    incidents       TEXT, -- numbers of those that it shows or names, with a space between them
    required_scopes TEXT    NOT NULL, -- beyond the route's scope, with spaces between
    created_date    INTEGER NOT NULL,
    CONSTRAINT idempotency_key_pkey PRIMARY KEY (organization, actor_kind, actor_id, key)
) STRICT;

-- By this, expired ones are found to be deleted.
CREATE INDEX idempotency_key_by_age ON idempotency_key (created_date);
