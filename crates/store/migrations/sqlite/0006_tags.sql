-- Tags. `name_folded` is the form in which two names are the same without regard to case.

CREATE TABLE tag (
    organization BLOB    NOT NULL,
    id           BLOB    NOT NULL,
    name         TEXT    NOT NULL,
    name_folded  TEXT    NOT NULL,
    color        TEXT    NOT NULL,
    description  TEXT,
    created_date INTEGER NOT NULL,
    updated_date INTEGER NOT NULL,
    version      INTEGER NOT NULL,
    seq_from     INTEGER NOT NULL,
    CONSTRAINT tag_pkey PRIMARY KEY (organization, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX tag_name ON tag (organization, name_folded);
