-- Families of refresh tokens: each refresh makes the next generation. A family has a row from its first refresh on.

CREATE TABLE token_family (
    organization         uuid             NOT NULL,
    id                   uuid             NOT NULL,
    client_id            text COLLATE "C" NOT NULL,
    credential_id        uuid             NOT NULL, -- the secret that it grew out of
    scopes               text             NOT NULL,
    generation           bigint           NOT NULL,
    rotated_date         timestamptz      NOT NULL,
    previous_jti         uuid,                      -- the token before, which may be shown again for a few seconds
    current_jti          uuid             NOT NULL,
    current_issued_date  timestamptz      NOT NULL,
    current_expires_date timestamptz      NOT NULL,
    started_date         timestamptz      NOT NULL,
    ended_date           timestamptz,
    ended_reason         text,
    CONSTRAINT token_family_pkey PRIMARY KEY (organization, id)
);

-- By this, expired ones are found to be deleted.
CREATE INDEX token_family_by_expiry ON token_family (current_expires_date);

-- The deny-list of access tokens, which every process reads once a second.

CREATE TABLE revocation (
    organization uuid             NOT NULL,
    kind         text COLLATE "C" NOT NULL,
    subject      text COLLATE "C" NOT NULL,
    revoked_date timestamptz      NOT NULL,
    expires_date timestamptz      NOT NULL,
    CONSTRAINT revocation_pkey PRIMARY KEY (organization, kind, subject)
);

CREATE INDEX revocation_by_expiry ON revocation (expires_date);

-- The keys that sign tokens, of the instance.

CREATE TABLE signing_key (
    kid          text COLLATE "C" NOT NULL,
    purpose      text COLLATE "C" NOT NULL,
    algorithm    text             NOT NULL,
    state        text COLLATE "C" NOT NULL,
    sealed       bytea            NOT NULL, -- the private key, encrypted with the master key
    created_date timestamptz      NOT NULL,
    state_date   timestamptz      NOT NULL, -- when it took its state
    CONSTRAINT signing_key_pkey PRIMARY KEY (kid),
    CONSTRAINT signing_key_purpose CHECK (purpose IN ('access', 'refresh')),
    CONSTRAINT signing_key_state CHECK (state IN ('next', 'active', 'retired'))
);

-- Of each purpose one key signs at most, and one comes next.
CREATE UNIQUE INDEX signing_key_in_use ON signing_key (purpose, state) WHERE state IN ('next', 'active');
