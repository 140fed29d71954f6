-- Answers by Idempotency-Key, kept for 24 hours. A key belongs to its caller.

CREATE TABLE idempotency_key (
    organization    uuid             NOT NULL,
    actor_kind      text COLLATE "C" NOT NULL,
    actor_id        text COLLATE "C" NOT NULL,
    key             text COLLATE "C" NOT NULL,
    fingerprint     bytea            NOT NULL, -- SHA-256 of the request
    status          bigint           NOT NULL,
    location        text,
    etag            text,
    body            bytea, -- NULL: a text that it showed was redacted
    incidents       text COLLATE "C", -- numbers of those that it shows or names, with a space between them
    required_scopes text COLLATE "C" NOT NULL, -- beyond the route's scope, with spaces between
    created_date    timestamptz      NOT NULL,
    CONSTRAINT idempotency_key_pkey PRIMARY KEY (organization, actor_kind, actor_id, key)
);

-- By this, expired ones are found to be deleted.
CREATE INDEX idempotency_key_by_age ON idempotency_key (created_date);
