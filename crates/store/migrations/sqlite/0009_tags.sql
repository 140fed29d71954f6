CREATE TABLE tag (
    organization BLOB    NOT NULL,
    id           BLOB    NOT NULL,
    name         TEXT    NOT NULL,
    name_folded  TEXT    NOT NULL, -- the form in which two names are the same without regard to case
    color        TEXT    NOT NULL,
    description  TEXT,
    created_date INTEGER NOT NULL,
    updated_date INTEGER NOT NULL,
    version      INTEGER NOT NULL,
    seq_from     INTEGER NOT NULL, -- the journal's number of the latest change
    CONSTRAINT tag_pkey PRIMARY KEY (organization, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX tag_name ON tag (organization, name_folded);
