-- Imports of spreadsheets. None of these is a record: what becomes of the rows is journaled. All are removed some days later.

CREATE TABLE import (
    organization    UUID        NOT NULL,
    id              UUID        NOT NULL,
    created         BIGINT      NOT NULL, -- how many rows became new records, by the run or the latest dry run
    updated         BIGINT      NOT NULL,
    unchanged       BIGINT      NOT NULL,
    skipped         BIGINT      NOT NULL,
    wrong           BIGINT      NOT NULL,
    kind            TEXT        NOT NULL,
    state           TEXT        NOT NULL,
    file_name       TEXT,
    fingerprint     TEXT        NOT NULL, -- of the header
    proposal        TEXT        NOT NULL, -- JSON: sheet, header, columns and questions
    choices         TEXT        NOT NULL, -- JSON
    answers         TEXT        NOT NULL, -- JSON
    entries         BIGINT      NOT NULL, -- records of the file, and ranges of rows without content
    done            BIGINT      NOT NULL, -- how many of them are written
    created_by_kind TEXT        NOT NULL,
    created_by_id   TEXT        NOT NULL,
    created_date    TIMESTAMPTZ NOT NULL,
    updated_date    TIMESTAMPTZ NOT NULL,
    version         BIGINT      NOT NULL,
    CONSTRAINT import_pkey PRIMARY KEY (organization, id)
);

CREATE INDEX import_order ON import (organization, created_date, id);
CREATE INDEX import_by_date ON import (created_date);

-- The bytes of the file, in parts.
CREATE TABLE import_file (
    organization UUID        NOT NULL,
    import       UUID        NOT NULL,
    part         BIGINT      NOT NULL,
    bytes        BYTEA       NOT NULL,
    created_date TIMESTAMPTZ NOT NULL,
    CONSTRAINT import_file_pkey PRIMARY KEY (organization, import, part)
);

CREATE INDEX import_file_by_date ON import_file (created_date);

-- What became of the rows, or would.
CREATE TABLE import_row (
    organization UUID        NOT NULL,
    import       UUID        NOT NULL,
    place        BIGINT      NOT NULL,
    first_row    BIGINT      NOT NULL,
    last_row     BIGINT      NOT NULL,
    title        TEXT,
    outcome      TEXT        NOT NULL,
    record       TEXT, -- its id
    faults       TEXT, -- JSON
    created_date TIMESTAMPTZ NOT NULL,
    CONSTRAINT import_row_pkey PRIMARY KEY (organization, import, place)
) WITHOUT ROWID;

CREATE INDEX import_row_by_outcome ON import_row (organization, import, outcome, place);
CREATE INDEX import_row_by_date ON import_row (created_date);

-- What was chosen and answered for the latest file with such a header.
CREATE TABLE import_mapping (
    organization UUID        NOT NULL,
    kind         TEXT        NOT NULL,
    fingerprint  TEXT        NOT NULL,
    choices      TEXT        NOT NULL,
    answers      TEXT        NOT NULL,
    updated_date TIMESTAMPTZ NOT NULL,
    CONSTRAINT import_mapping_pkey PRIMARY KEY (organization, kind, fingerprint)
) WITHOUT ROWID;
