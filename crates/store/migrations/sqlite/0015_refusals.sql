-- What clients were refused lately and why; the newest 100 of each client.
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
CREATE INDEX client_refusal_by_date ON client_refusal (refused_date);
