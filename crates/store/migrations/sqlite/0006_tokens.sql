-- Families of refresh tokens: each refresh makes the next generation. A family has a row from its first refresh on.

CREATE TABLE token_family (
    organization         BLOB    NOT NULL,
    id                   BLOB    NOT NULL,
    client_id            TEXT    NOT NULL,
    credential_id        BLOB    NOT NULL, -- the secret that it grew out of
    scopes               TEXT    NOT NULL,
    generation           INTEGER NOT NULL,
    rotated_date         INTEGER NOT NULL,
    previous_jti         BLOB,             -- the token before, which may be shown again for a few seconds
    current_jti          BLOB    NOT NULL,
    current_issued_date  INTEGER NOT NULL,
    current_expires_date INTEGER NOT NULL,
    started_date         INTEGER NOT NULL,
    ended_date           INTEGER,
    ended_reason         TEXT,
    CONSTRAINT token_family_pkey PRIMARY KEY (organization, id)
) STRICT, WITHOUT ROWID;

-- By this, expired ones are found to be deleted.
CREATE INDEX token_family_by_expiry ON token_family (current_expires_date);

-- The deny-list of access tokens, which every process reads once a second.

CREATE TABLE revocation (
    organization BLOB    NOT NULL,
    kind         TEXT    NOT NULL,
    subject      TEXT    NOT NULL,
    revoked_date INTEGER NOT NULL,
    expires_date INTEGER NOT NULL,
    CONSTRAINT revocation_pkey PRIMARY KEY (organization, kind, subject)
) STRICT, WITHOUT ROWID;

CREATE INDEX revocation_by_expiry ON revocation (expires_date);

-- The keys that sign tokens, of the instance.

CREATE TABLE signing_key (
    kid          TEXT    NOT NULL,
    purpose      TEXT    NOT NULL,
    algorithm    TEXT    NOT NULL,
    state        TEXT    NOT NULL,
    sealed       BLOB    NOT NULL, -- the private key, encrypted with the master key
    created_date INTEGER NOT NULL,
    state_date   INTEGER NOT NULL, -- when it took its state
    CONSTRAINT signing_key_pkey PRIMARY KEY (kid),
    CONSTRAINT signing_key_purpose CHECK (purpose IN ('access', 'refresh')),
    CONSTRAINT signing_key_state CHECK (state IN ('next', 'active', 'retired'))
) STRICT, WITHOUT ROWID;

-- Of each purpose one key signs at most, and one comes next.
CREATE UNIQUE INDEX signing_key_in_use ON signing_key (purpose, state) WHERE state IN ('next', 'active');
