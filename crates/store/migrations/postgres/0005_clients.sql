-- OAuth clients of an organization.

CREATE TABLE client (
    organization        uuid             NOT NULL,
    id                  text COLLATE "C" NOT NULL, -- the `client_id`, random
    name                text             NOT NULL,
    scopes              text             NOT NULL, -- what its tokens may have, separated by spaces
    refresh_client_auth text             NOT NULL, -- whether a refresh needs the client's secret
    created_by_kind     text             NOT NULL,
    created_by_id       text             NOT NULL,
    created_date        timestamptz      NOT NULL,
    disabled_date       timestamptz,
    version             bigint           NOT NULL,
    CONSTRAINT client_pkey PRIMARY KEY (organization, id),
    CONSTRAINT client_refresh_client_auth CHECK (refresh_client_auth IN ('optional', 'required'))
);

-- The token endpoint knows the `client_id` only, so no two organizations may have the same.
CREATE UNIQUE INDEX client_by_id ON client (id);

-- The order of the list of clients.
CREATE INDEX client_by_age ON client (organization, created_date, id);

CREATE TABLE client_secret (
    organization   uuid             NOT NULL,
    id             uuid             NOT NULL,
    client_id      text COLLATE "C" NOT NULL,
    hash           bytea            NOT NULL, -- SHA-256 of the secret
    credential_id  uuid             NOT NULL, -- what tokens remember of the secret: another one after the client was disabled
    created_date   timestamptz      NOT NULL,
    expires_date   timestamptz,
    last_used_date timestamptz,
    CONSTRAINT client_secret_pkey PRIMARY KEY (organization, id),
    CONSTRAINT client_secret_client FOREIGN KEY (organization, client_id) REFERENCES client (organization, id)
);

CREATE INDEX client_secret_by_client ON client_secret (organization, client_id);

-- What clients were refused lately and why: the newest 100 of each client.

CREATE TABLE client_refusal (
    organization uuid             NOT NULL,
    client_id    text COLLATE "C" NOT NULL,
    id           uuid             NOT NULL,
    refused_date timestamptz      NOT NULL,
    reason       text             NOT NULL,
    scope        text,
    address      text             NOT NULL,
    request_id   text             NOT NULL,
    CONSTRAINT client_refusal_pkey PRIMARY KEY (organization, client_id, id)
);

-- By this, old ones are found to be deleted.
CREATE INDEX client_refusal_by_date ON client_refusal (refused_date);
