-- Who may sign in, with what, and the sessions of those who did. A session lives as long as the
-- membership is active and the password is the one it began with.

ALTER TABLE person ADD COLUMN password_hash text;
ALTER TABLE person ADD COLUMN password_version bigint NOT NULL DEFAULT 0;
ALTER TABLE membership ADD COLUMN activated_date timestamptz;

CREATE TABLE session (
    organization     uuid        NOT NULL,
    id               uuid        NOT NULL,
    person           uuid        NOT NULL,
    token_hash       bytea       NOT NULL,
    password_version bigint      NOT NULL,
    created_date     timestamptz NOT NULL,
    last_used_date   timestamptz NOT NULL,
    expires_date     timestamptz NOT NULL,
    CONSTRAINT session_pkey PRIMARY KEY (organization, id)
);

CREATE UNIQUE INDEX session_by_token ON session (token_hash);

CREATE INDEX session_by_person ON session (organization, person);
