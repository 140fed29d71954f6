-- Families of refresh tokens, from their first refresh on.
CREATE TABLE token_family (
    organization         uuid    NOT NULL,
    id                   uuid    NOT NULL,
    client_id            text COLLATE "C"    NOT NULL,
    credential_id        uuid    NOT NULL,
    scopes               text    NOT NULL,
    generation           bigint NOT NULL,
    rotated_date         timestamptz NOT NULL,
    previous_jti         uuid,
    current_jti          uuid    NOT NULL,
    current_issued_date  timestamptz NOT NULL,
    current_expires_date timestamptz NOT NULL,
    started_date         timestamptz NOT NULL,
    ended_date           timestamptz,
    ended_reason         text,
    CONSTRAINT token_family_pkey PRIMARY KEY (organization, id)
);
CREATE INDEX token_family_by_expiry ON token_family (current_expires_date);

-- The deny-list of access tokens, read by every process once a second.
CREATE TABLE revocation (
    organization uuid    NOT NULL,
    kind         text COLLATE "C"    NOT NULL,
    subject      text COLLATE "C"    NOT NULL,
    revoked_date timestamptz NOT NULL,
    expires_date timestamptz NOT NULL,
    CONSTRAINT revocation_pkey PRIMARY KEY (organization, kind, subject)
);
CREATE INDEX revocation_by_expiry ON revocation (expires_date);

-- Keys for tokens, of the instance; the private part is sealed by the master key.
CREATE TABLE signing_key (
    kid          text COLLATE "C"    NOT NULL,
    purpose      text    NOT NULL,
    algorithm    text    NOT NULL,
    state        text    NOT NULL,
    sealed       bytea    NOT NULL,
    created_date timestamptz NOT NULL,
    CONSTRAINT signing_key_pkey PRIMARY KEY (kid),
    CONSTRAINT signing_key_purpose CHECK (purpose IN ('access', 'refresh')),
    CONSTRAINT signing_key_state CHECK (state IN ('next', 'active', 'retired'))
);
