-- Tags of incidents and risks.

CREATE TABLE tag (
    organization UUID        NOT NULL,
    id           UUID        NOT NULL,
    name         TEXT        NOT NULL,
    name_folded  TEXT        NOT NULL, -- the form in which two names are the same without regard to case
    color        TEXT        NOT NULL,
    description  TEXT,
    merged_into  UUID,                 -- the tag that it was merged into, to which its name leads
    deleted_date TIMESTAMPTZ,          -- when it was deleted or merged; the past still shows it
    created_date TIMESTAMPTZ NOT NULL,
    updated_date TIMESTAMPTZ NOT NULL,
    version      BIGINT      NOT NULL,
    seq_from     BIGINT      NOT NULL, -- the journal's number of the latest change
    CONSTRAINT tag_pkey PRIMARY KEY (organization, id)
) WITHOUT ROWID;

CREATE UNIQUE INDEX tag_name ON tag (organization, name_folded) WHERE deleted_date IS NULL;

CREATE INDEX tag_merged ON tag (organization, name_folded) WHERE merged_into IS NOT NULL;
