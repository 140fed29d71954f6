-- What clients were refused lately and why; the newest 100 of each client.
CREATE TABLE client_refusal (
    organization uuid    NOT NULL,
    client_id    text COLLATE "C"    NOT NULL,
    id           uuid    NOT NULL,
    refused_date timestamptz NOT NULL,
    reason       text    NOT NULL,
    scope        text,
    address      text    NOT NULL,
    request_id   text    NOT NULL,
    CONSTRAINT client_refusal_pkey PRIMARY KEY (organization, client_id, id)
);
CREATE INDEX client_refusal_by_date ON client_refusal (refused_date);
