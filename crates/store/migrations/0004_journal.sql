-- The journal of every organization, and of the instance under the nil UUID; see docs/journal.md.

CREATE TABLE journal_entry (
    organization UUID        NOT NULL,
    seq          BIGINT      NOT NULL,
    at           TIMESTAMPTZ NOT NULL,
    actor_kind   TEXT        NOT NULL,
    actor_id     TEXT        NOT NULL,
    request_id   TEXT        NOT NULL,
    kind         TEXT        NOT NULL,
    subject_kind TEXT        NOT NULL,
    subject_id   TEXT        NOT NULL,
    payload      TEXT, -- the exact text that was hashed; erasing blanks this and the salt, nothing else
    salt         BYTEA,
    payload_hash BYTEA       NOT NULL,
    prev_hash    BYTEA       NOT NULL,
    hash         BYTEA       NOT NULL,
    CONSTRAINT journal_entry_pkey PRIMARY KEY (organization, seq)
) WITHOUT ROWID;

CREATE INDEX journal_entry_by_subject ON journal_entry (organization, subject_kind, subject_id, seq);

-- Answers by Idempotency-Key, kept for 24 hours. A key belongs to its caller.
--
-- With a row id: a table that SQLite orders by its key keeps rows of over 1,002 bytes on pages of their own, 4 KiB to be
-- written with every keyed write.

CREATE TABLE idempotency_key (
    organization    UUID        NOT NULL,
    actor_kind      TEXT        NOT NULL,
    actor_id        TEXT        NOT NULL,
    key             TEXT        NOT NULL,
    fingerprint     BYTEA       NOT NULL, -- SHA-256 of the request
    status          BIGINT      NOT NULL,
    location        TEXT,
    etag            TEXT,
    body            BYTEA, -- NULL: a text that it showed was redacted
    incidents       TEXT, -- numbers of those that it shows or names, with a space between them
    required_scopes TEXT        NOT NULL, -- beyond the route's scope, with spaces between
    created_date    TIMESTAMPTZ NOT NULL,
    CONSTRAINT idempotency_key_pkey PRIMARY KEY (organization, actor_kind, actor_id, key)
);

-- By this, expired ones are found to be deleted.
CREATE INDEX idempotency_key_by_age ON idempotency_key (created_date);

-- Writes that continue a request which was made in several: undoing it takes back what all of them did. Kept for as long as
-- a request can be undone.

CREATE TABLE continued_request (
    organization UUID        NOT NULL,
    seq          BIGINT      NOT NULL, -- the first journal entry of the write
    after_seq    BIGINT      NOT NULL, -- the last one before the request
    created_date TIMESTAMPTZ NOT NULL,
    CONSTRAINT continued_request_pkey PRIMARY KEY (organization, seq)
) WITHOUT ROWID;

-- By this, old ones are found to be deleted.
CREATE INDEX continued_request_by_age ON continued_request (created_date);
