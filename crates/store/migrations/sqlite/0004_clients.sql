-- OAuth clients. The id is random and looked up without the organization; a plain index is enough.
CREATE TABLE client (
    organization        BLOB    NOT NULL,
    id                  TEXT    NOT NULL,
    name                TEXT    NOT NULL,
    scopes              TEXT    NOT NULL,
    refresh_client_auth TEXT    NOT NULL DEFAULT 'optional',
    created_by_kind     TEXT    NOT NULL,
    created_by_id       TEXT    NOT NULL,
    created_date        INTEGER NOT NULL,
    disabled_date       INTEGER,
    version             INTEGER NOT NULL,
    CONSTRAINT client_pkey PRIMARY KEY (organization, id),
    CONSTRAINT client_refresh_client_auth CHECK (refresh_client_auth IN ('optional', 'required'))
) STRICT, WITHOUT ROWID;
CREATE INDEX client_by_id ON client (id);

CREATE TABLE client_secret (
    organization   BLOB    NOT NULL,
    id             BLOB    NOT NULL,
    client_id      TEXT    NOT NULL,
    hash           BLOB    NOT NULL,
    created_date   INTEGER NOT NULL,
    expires_date   INTEGER,
    last_used_date INTEGER,
    CONSTRAINT client_secret_pkey PRIMARY KEY (organization, id),
    CONSTRAINT client_secret_client FOREIGN KEY (organization, client_id) REFERENCES client (organization, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX client_secret_by_client ON client_secret (organization, client_id);
