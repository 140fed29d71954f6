-- OAuth clients of an organization.

CREATE TABLE client (
    organization        UUID        NOT NULL,
    id                  TEXT        NOT NULL, -- the `client_id`, random
    name                TEXT        NOT NULL,
    scopes              TEXT        NOT NULL, -- what its tokens may have, separated by spaces
    refresh_client_auth TEXT        NOT NULL, -- whether a refresh needs the client's secret
    created_by_kind     TEXT        NOT NULL,
    created_by_id       TEXT        NOT NULL,
    created_date        TIMESTAMPTZ NOT NULL,
    disabled_date       TIMESTAMPTZ,
    version             BIGINT      NOT NULL,
    CONSTRAINT client_pkey PRIMARY KEY (organization, id),
    CONSTRAINT client_refresh_client_auth CHECK (refresh_client_auth IN ('optional', 'required'))
) WITHOUT ROWID;

-- The token endpoint knows the `client_id` only, so no two organizations may have the same.
CREATE UNIQUE INDEX client_by_id ON client (id);

-- The order of the list of clients.
CREATE INDEX client_by_age ON client (organization, created_date, id);

CREATE TABLE client_secret (
    organization   UUID        NOT NULL,
    id             UUID        NOT NULL,
    client_id      TEXT        NOT NULL,
    hash           BYTEA       NOT NULL, -- SHA-256 of the secret
    credential_id  UUID        NOT NULL, -- what tokens remember of the secret: another one after the client was disabled
    created_date   TIMESTAMPTZ NOT NULL,
    expires_date   TIMESTAMPTZ,
    last_used_date TIMESTAMPTZ,
    CONSTRAINT client_secret_pkey PRIMARY KEY (organization, id),
    CONSTRAINT client_secret_client FOREIGN KEY (organization, client_id) REFERENCES client (organization, id)
) WITHOUT ROWID;

CREATE INDEX client_secret_by_client ON client_secret (organization, client_id);

-- What clients were refused lately and why: the newest 100 of each client.

CREATE TABLE client_refusal (
    organization UUID        NOT NULL,
    client_id    TEXT        NOT NULL,
    id           UUID        NOT NULL,
    refused_date TIMESTAMPTZ NOT NULL,
    reason       TEXT        NOT NULL,
    scope        TEXT,
    address      TEXT        NOT NULL,
    request_id   TEXT        NOT NULL,
    CONSTRAINT client_refusal_pkey PRIMARY KEY (organization, client_id, id)
) WITHOUT ROWID;

-- By this, old ones are found to be deleted.
CREATE INDEX client_refusal_by_date ON client_refusal (refused_date);

-- Families of refresh tokens: each refresh makes the next generation. A family has a row from its first refresh on.

CREATE TABLE token_family (
    organization         UUID        NOT NULL,
    id                   UUID        NOT NULL,
    client_id            TEXT        NOT NULL,
    credential_id        UUID        NOT NULL, -- the secret that it grew out of
    scopes               TEXT        NOT NULL,
    generation           BIGINT      NOT NULL,
    rotated_date         TIMESTAMPTZ NOT NULL,
    previous_jti         UUID, -- the token before, which may be shown again for a few seconds
    current_jti          UUID        NOT NULL,
    current_issued_date  TIMESTAMPTZ NOT NULL,
    current_expires_date TIMESTAMPTZ NOT NULL,
    started_date         TIMESTAMPTZ NOT NULL,
    ended_date           TIMESTAMPTZ,
    ended_reason         TEXT,
    CONSTRAINT token_family_pkey PRIMARY KEY (organization, id)
) WITHOUT ROWID;

-- By this, expired ones are found to be deleted.
CREATE INDEX token_family_by_expiry ON token_family (current_expires_date);

-- The deny-list of access tokens, which every process reads once a second.

CREATE TABLE revocation (
    organization UUID        NOT NULL,
    kind         TEXT        NOT NULL,
    subject      TEXT        NOT NULL,
    revoked_date TIMESTAMPTZ NOT NULL,
    expires_date TIMESTAMPTZ NOT NULL,
    CONSTRAINT revocation_pkey PRIMARY KEY (organization, kind, subject)
) WITHOUT ROWID;

CREATE INDEX revocation_by_expiry ON revocation (expires_date);

-- The keys that sign tokens, of the instance.

CREATE TABLE signing_key (
    kid          TEXT        NOT NULL,
    purpose      TEXT        NOT NULL,
    algorithm    TEXT        NOT NULL,
    state        TEXT        NOT NULL,
    sealed       BYTEA       NOT NULL, -- the private key, encrypted with the master key
    created_date TIMESTAMPTZ NOT NULL,
    state_date   TIMESTAMPTZ NOT NULL, -- when it took its state
    CONSTRAINT signing_key_pkey PRIMARY KEY (kid),
    CONSTRAINT signing_key_purpose CHECK (purpose IN ('access', 'refresh')),
    CONSTRAINT signing_key_state CHECK (state IN ('next', 'active', 'retired'))
) WITHOUT ROWID;

-- Of each purpose one key signs at most, and one comes next.
CREATE UNIQUE INDEX signing_key_in_use ON signing_key (purpose, state) WHERE state IN ('next', 'active');
