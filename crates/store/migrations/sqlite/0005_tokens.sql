-- Families of refresh tokens, from their first refresh on.
CREATE TABLE token_family (
    organization         BLOB    NOT NULL,
    id                   BLOB    NOT NULL,
    client_id            TEXT    NOT NULL,
    credential_id        BLOB    NOT NULL,
    scopes               TEXT    NOT NULL,
    generation           INTEGER NOT NULL,
    rotated_date         INTEGER NOT NULL,
    previous_jti         BLOB,
    current_jti          BLOB    NOT NULL,
    current_issued_date  INTEGER NOT NULL,
    current_expires_date INTEGER NOT NULL,
    started_date         INTEGER NOT NULL,
    ended_date           INTEGER,
    ended_reason         TEXT,
    CONSTRAINT token_family_pkey PRIMARY KEY (organization, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX token_family_by_expiry ON token_family (current_expires_date);

-- The deny-list of access tokens, read by every process once a second.
CREATE TABLE revocation (
    organization BLOB    NOT NULL,
    kind         TEXT    NOT NULL,
    subject      TEXT    NOT NULL,
    revoked_date INTEGER NOT NULL,
    expires_date INTEGER NOT NULL,
    CONSTRAINT revocation_pkey PRIMARY KEY (organization, kind, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX revocation_by_expiry ON revocation (expires_date);

-- Keys for tokens, of the instance; the private part is sealed by the master key.
CREATE TABLE signing_key (
    kid          TEXT    NOT NULL,
    purpose      TEXT    NOT NULL,
    algorithm    TEXT    NOT NULL,
    state        TEXT    NOT NULL,
    sealed       BLOB    NOT NULL,
    created_date INTEGER NOT NULL,
    CONSTRAINT signing_key_pkey PRIMARY KEY (kid),
    CONSTRAINT signing_key_purpose CHECK (purpose IN ('access', 'refresh')),
    CONSTRAINT signing_key_state CHECK (state IN ('next', 'active', 'retired'))
) STRICT, WITHOUT ROWID;
