-- Documents with their items, and the proposals that change them.
-- An item's options are JSON: they are always read and written with their item. Its `value` is the published one.

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
    options       TEXT,
    max_length    INTEGER,
    multiline     INTEGER,
    value         TEXT,
    CONSTRAINT document_item_pkey PRIMARY KEY (organization, document, position)
) STRICT;

CREATE UNIQUE INDEX document_item_id ON document_item (organization, document, id);

CREATE TABLE proposal (
    organization BLOB    NOT NULL,
    number       INTEGER NOT NULL,
    document     TEXT    NOT NULL,
    status       TEXT    NOT NULL,
    created_date INTEGER NOT NULL,
    updated_date INTEGER NOT NULL,
    CONSTRAINT proposal_pkey PRIMARY KEY (organization, number)
) STRICT, WITHOUT ROWID;

-- A document has one proposal at a time.
CREATE UNIQUE INDEX proposal_open ON proposal (organization, document) WHERE status IN ('open', 'submitted');

CREATE TABLE change_set (
    organization BLOB    NOT NULL,
    number       INTEGER NOT NULL,
    proposal     INTEGER NOT NULL,
    author_kind  TEXT    NOT NULL,
    author_id    TEXT    NOT NULL,
    created_date INTEGER NOT NULL,
    updated_date INTEGER,
    CONSTRAINT change_set_pkey PRIMARY KEY (organization, number)
) STRICT, WITHOUT ROWID;

-- In a proposal every caller has one change set.
CREATE UNIQUE INDEX change_set_author ON change_set (organization, proposal, author_kind, author_id);

CREATE TABLE change_set_edit (
    organization BLOB    NOT NULL,
    change_set   INTEGER NOT NULL,
    item         TEXT    NOT NULL,
    kind         TEXT    NOT NULL,
    value        TEXT    NOT NULL,
    previous     TEXT,
    set_date     INTEGER NOT NULL,
    CONSTRAINT change_set_edit_pkey PRIMARY KEY (organization, change_set, item)
) STRICT;
