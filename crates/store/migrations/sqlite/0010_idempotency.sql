-- Answers by Idempotency-Key, kept for 24 hours. The key belongs to the caller.

CREATE TABLE idempotency_key (
    organization BLOB    NOT NULL,
    actor_kind   TEXT    NOT NULL,
    actor_id     TEXT    NOT NULL,
    key          TEXT    NOT NULL,
    fingerprint  BLOB    NOT NULL,
    status       INTEGER NOT NULL,
    location     TEXT,
    body         BLOB    NOT NULL,
    created_date INTEGER NOT NULL,
    CONSTRAINT idempotency_key_pkey PRIMARY KEY (organization, actor_kind, actor_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_key_by_age ON idempotency_key (created_date);
