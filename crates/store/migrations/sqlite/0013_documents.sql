CREATE TABLE document (
    organization      BLOB    NOT NULL,
    slug              TEXT    NOT NULL,
    title             TEXT    NOT NULL,
    description       TEXT    NOT NULL,
    owner             BLOB,
    status            TEXT    NOT NULL,
    published_version INTEGER,
    created_date      INTEGER NOT NULL,
    updated_date      INTEGER NOT NULL,
    version           INTEGER NOT NULL,
    CONSTRAINT document_pkey PRIMARY KEY (organization, slug)
) STRICT;

CREATE TABLE document_item (
    organization  BLOB    NOT NULL,
    document      TEXT    NOT NULL,
    position      INTEGER NOT NULL,
    id            TEXT    NOT NULL,
    kind          TEXT    NOT NULL,
    label         TEXT    NOT NULL,
    guidance      TEXT,
    required      INTEGER NOT NULL,
    default_value TEXT,
    options       TEXT,             -- JSON: options are always read and written with their item
    max_length    INTEGER,
    multiline     INTEGER,
    value         TEXT,             -- the published one
    CONSTRAINT document_item_pkey PRIMARY KEY (organization, document, position)
) STRICT;

CREATE UNIQUE INDEX document_item_id ON document_item (organization, document, id);
