CREATE TABLE saved_view (
    organization UUID        NOT NULL,
    id           UUID        NOT NULL,
    list         TEXT        NOT NULL,
    name         TEXT        NOT NULL,
    name_folded  TEXT        NOT NULL, -- the form in which two names are the same without regard to case
    filter       TEXT        NOT NULL, -- a JSON object: each parameter of the list with its values
    sort         TEXT, -- NULL is the list's own order
    shared       BOOLEAN     NOT NULL,
    owner_kind   TEXT        NOT NULL,
    owner_id     TEXT        NOT NULL,
    created_date TIMESTAMPTZ NOT NULL,
    updated_date TIMESTAMPTZ NOT NULL,
    version      BIGINT      NOT NULL,
    seq_from     BIGINT      NOT NULL, -- the journal's number of the latest change
    CONSTRAINT saved_view_pkey PRIMARY KEY (organization, id)
) WITHOUT ROWID;

CREATE UNIQUE INDEX saved_view_name ON saved_view (organization, owner_kind, owner_id, list, name_folded);
CREATE INDEX saved_view_order ON saved_view (organization, name_folded, id);
