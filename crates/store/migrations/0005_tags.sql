-- Tags of incidents and risks.

CREATE TABLE tag (
    organization UUID        NOT NULL,
    id           UUID        NOT NULL,
    name         TEXT        NOT NULL,
    name_folded  TEXT        NOT NULL, -- the form in which two names are the same without regard to case
    color        TEXT        NOT NULL,
    description  TEXT,
    created_date TIMESTAMPTZ NOT NULL,
    updated_date TIMESTAMPTZ NOT NULL,
    version      BIGINT      NOT NULL,
    seq_from     BIGINT      NOT NULL, -- the journal's number of the latest change
    CONSTRAINT tag_pkey PRIMARY KEY (organization, id)
) WITHOUT ROWID;

CREATE UNIQUE INDEX tag_name ON tag (organization, name_folded);
