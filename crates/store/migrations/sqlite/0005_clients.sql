-- OAuth clients of an organization.

CREATE TABLE client (
    organization        BLOB    NOT NULL,
    id                  TEXT    NOT NULL, -- the `client_id`, random
    name                TEXT    NOT NULL,
    scopes              TEXT    NOT NULL, -- what its tokens may have, separated by spaces
    refresh_client_auth TEXT    NOT NULL, -- whether a refresh needs the client's secret
    created_by_kind     TEXT    NOT NULL,
    created_by_id       TEXT    NOT NULL,
    created_date        INTEGER NOT NULL,
    disabled_date       INTEGER,
    version             INTEGER NOT NULL,
    CONSTRAINT client_pkey PRIMARY KEY (organization, id),
    CONSTRAINT client_refresh_client_auth CHECK (refresh_client_auth IN ('optional', 'required'))
) STRICT, WITHOUT ROWID;

-- The token endpoint knows the `client_id` only, so no two organizations may have the same.
CREATE UNIQUE INDEX client_by_id ON client (id);

-- The order of the list of clients.
CREATE INDEX client_by_age ON client (organization, created_date, id);

CREATE TABLE client_secret (
    organization   BLOB    NOT NULL,
    id             BLOB    NOT NULL,
    client_id      TEXT    NOT NULL,
    hash           BLOB    NOT NULL, -- SHA-256 of the secret
    credential_id  BLOB    NOT NULL, -- what tokens remember of the secret: another one after the client was disabled
    created_date   INTEGER NOT NULL,
    expires_date   INTEGER,
    last_used_date INTEGER,
    CONSTRAINT client_secret_pkey PRIMARY KEY (organization, id),
    CONSTRAINT client_secret_client FOREIGN KEY (organization, client_id) REFERENCES client (organization, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX client_secret_by_client ON client_secret (organization, client_id);

-- What clients were refused lately and why: the newest 100 of each client.

CREATE TABLE client_refusal (
    organization BLOB    NOT NULL,
    client_id    TEXT    NOT NULL,
    id           BLOB    NOT NULL,
    refused_date INTEGER NOT NULL,
    reason       TEXT    NOT NULL,
    scope        TEXT,
    address      TEXT    NOT NULL,
    request_id   TEXT    NOT NULL,
    CONSTRAINT client_refusal_pkey PRIMARY KEY (organization, client_id, id)
) STRICT, WITHOUT ROWID;

-- By this, old ones are found to be deleted.
CREATE INDEX client_refusal_by_date ON client_refusal (refused_date);
