-- OAuth clients. The id is random and looked up without the organization; a plain index is enough.
CREATE TABLE client (
    organization        uuid    NOT NULL,
    id                  text COLLATE "C"    NOT NULL,
    name                text    NOT NULL,
    scopes              text    NOT NULL,
    refresh_client_auth text    NOT NULL DEFAULT 'optional',
    created_by_kind     text    NOT NULL,
    created_by_id       text    NOT NULL,
    created_date        timestamptz NOT NULL,
    disabled_date       timestamptz,
    version             bigint NOT NULL,
    CONSTRAINT client_pkey PRIMARY KEY (organization, id),
    CONSTRAINT client_refresh_client_auth CHECK (refresh_client_auth IN ('optional', 'required'))
);
CREATE INDEX client_by_id ON client (id);

CREATE TABLE client_secret (
    organization   uuid    NOT NULL,
    id             uuid    NOT NULL,
    client_id      text COLLATE "C"    NOT NULL,
    hash           bytea    NOT NULL,
    created_date   timestamptz NOT NULL,
    expires_date   timestamptz,
    last_used_date timestamptz,
    CONSTRAINT client_secret_pkey PRIMARY KEY (organization, id),
    CONSTRAINT client_secret_client FOREIGN KEY (organization, client_id) REFERENCES client (organization, id)
);
CREATE INDEX client_secret_by_client ON client_secret (organization, client_id);
