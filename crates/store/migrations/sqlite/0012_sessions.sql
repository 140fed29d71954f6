-- Who may sign in, with what, and the sessions of those who did. A session lives as long as the
-- membership is active and the password is the one it began with.

ALTER TABLE person ADD COLUMN password_hash TEXT;
ALTER TABLE person ADD COLUMN password_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE membership ADD COLUMN activated_date INTEGER;

CREATE TABLE session (
    organization     BLOB    NOT NULL,
    id               BLOB    NOT NULL,
    person           BLOB    NOT NULL,
    token_hash       BLOB    NOT NULL,
    password_version INTEGER NOT NULL,
    created_date     INTEGER NOT NULL,
    last_used_date   INTEGER NOT NULL,
    expires_date     INTEGER NOT NULL,
    CONSTRAINT session_pkey PRIMARY KEY (organization, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX session_by_token ON session (token_hash);

CREATE INDEX session_by_person ON session (organization, person);
