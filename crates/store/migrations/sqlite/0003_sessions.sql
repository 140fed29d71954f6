-- The sessions of people who signed in. One lives as long as the membership is active and the password is the one
-- that it began with.
-- A session of the console opens every organization of its person, and belongs to the instance.

CREATE TABLE session (
    organization     BLOB    NOT NULL,
    id               BLOB    NOT NULL,
    person           BLOB    NOT NULL,
    token_hash       BLOB    NOT NULL, -- SHA-256 of the token, which is stored nowhere
    password_version INTEGER NOT NULL,
    created_date     INTEGER NOT NULL,
    last_used_date   INTEGER NOT NULL, -- to within two minutes
    expires_date     INTEGER NOT NULL,
    device           TEXT, -- the browser of a session of the console, as it names itself
    CONSTRAINT session_pkey PRIMARY KEY (organization, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX session_by_token ON session (token_hash);

CREATE INDEX session_by_person ON session (organization, person);

-- By these two, sessions that have ended are found to be deleted.
CREATE INDEX session_by_expiry ON session (expires_date);

CREATE INDEX session_by_use ON session (last_used_date);
