-- Requests to acknowledge a document, and the acknowledgements that were given.

CREATE TABLE acknowledgement_request (
    organization     UUID        NOT NULL,
    id               UUID        NOT NULL,
    document         TEXT        NOT NULL,
    document_version BIGINT      NOT NULL,
    who              TEXT        NOT NULL,
    role             TEXT,
    member_group     UUID,
    users            TEXT, -- ids with a space between them
    due_days         BIGINT,
    created_by_kind  TEXT        NOT NULL,
    created_by_id    TEXT        NOT NULL,
    created_date     TIMESTAMPTZ NOT NULL,
    ended_date       TIMESTAMPTZ,
    seq_from         BIGINT      NOT NULL, -- the journal's number of the latest change
    CONSTRAINT acknowledgement_request_pkey PRIMARY KEY (organization, id)
) WITHOUT ROWID;

CREATE INDEX acknowledgement_request_by_document ON acknowledgement_request (organization, document, id);

-- A row never changes.
CREATE TABLE acknowledgement (
    organization     UUID        NOT NULL,
    id               UUID        NOT NULL,
    document         TEXT        NOT NULL,
    document_version BIGINT      NOT NULL,
    sha256           TEXT        NOT NULL,
    person           UUID        NOT NULL,
    on_paper         TEXT,
    recorded_by_kind TEXT        NOT NULL,
    recorded_by_id   TEXT        NOT NULL,
    created_date     TIMESTAMPTZ NOT NULL,
    CONSTRAINT acknowledgement_pkey PRIMARY KEY (organization, id)
) WITHOUT ROWID;

CREATE INDEX acknowledgement_by_document ON acknowledgement (organization, document, person);

CREATE INDEX acknowledgement_by_person ON acknowledgement (organization, person);
