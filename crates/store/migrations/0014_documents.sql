CREATE TABLE document (
    organization      UUID        NOT NULL,
    slug              TEXT        NOT NULL,
    kind              TEXT        NOT NULL,
    title             TEXT        NOT NULL,
    description       TEXT        NOT NULL,
    owner             UUID,
    reference         TEXT,
    classification    TEXT        NOT NULL,
    audience          TEXT        NOT NULL,
    language          TEXT        NOT NULL,
    earlier           TEXT,
    review_every_days BIGINT,
    acknowledge_every_days BIGINT,
    template          TEXT, -- read only with one document: lists do not need it
    approval_steps    TEXT, -- JSON; also read only with one document
    status            TEXT        NOT NULL,
    published_version BIGINT,
    reviewed_date     TIMESTAMPTZ, -- or published
    next_review_date  TIMESTAMPTZ,
    archived_date     TIMESTAMPTZ,
    status_reason     TEXT,
    library_policy    TEXT, -- the policy of the library that it was made from
    library_sha256    TEXT, -- of the library's text that is published in it, or that it was made from
    library_release   BIGINT, -- the latest that was published in it or declined, or that it was made from
    created_date      TIMESTAMPTZ NOT NULL,
    updated_date      TIMESTAMPTZ NOT NULL,
    version           BIGINT      NOT NULL,
    CONSTRAINT document_pkey PRIMARY KEY (organization, slug)
);

CREATE UNIQUE INDEX document_reference ON document (organization, reference);

CREATE TABLE document_item (
    organization  UUID    NOT NULL,
    document      TEXT    NOT NULL,
    position      BIGINT  NOT NULL,
    id            TEXT    NOT NULL,
    kind          TEXT    NOT NULL,
    label         TEXT    NOT NULL,
    guidance      TEXT,
    required      BOOLEAN NOT NULL,
    material      BOOLEAN NOT NULL,
    risks         TEXT,
    controls      TEXT,
    default_value TEXT,
    options       TEXT, -- JSON: options are always read and written with their item
    max_length    BIGINT,
    multiline     BOOLEAN,
    markdown      BOOLEAN,
    value         TEXT, -- the published one
    CONSTRAINT document_item_pkey PRIMARY KEY (organization, document, position)
);

CREATE UNIQUE INDEX document_item_id ON document_item (organization, document, id);

-- The texts of the library that a document was made from or has taken. A row never changes.
CREATE TABLE document_library_text (
    organization UUID NOT NULL,
    document     TEXT NOT NULL,
    sha256       TEXT NOT NULL,
    text         TEXT NOT NULL,
    CONSTRAINT document_library_text_pkey PRIMARY KEY (organization, document, sha256)
);

-- A tag on a document, from the entry `seq_from` until before `seq_to`. Rows are deleted with the document only.
CREATE TABLE document_tag (
    organization UUID   NOT NULL,
    document     TEXT   NOT NULL,
    tag          UUID   NOT NULL,
    seq_from     BIGINT NOT NULL,
    seq_to       BIGINT,
    CONSTRAINT document_tag_pkey PRIMARY KEY (organization, document, tag, seq_from)
) WITHOUT ROWID;

CREATE UNIQUE INDEX document_tag_now ON document_tag (organization, document, tag) WHERE seq_to IS NULL;

CREATE INDEX document_tag_by_tag ON document_tag (organization, tag, document) WHERE seq_to IS NULL;

-- Reviews without a change, and confirmations. A row never changes.
CREATE TABLE document_review (
    organization     UUID        NOT NULL,
    document         TEXT        NOT NULL,
    number           BIGINT      NOT NULL,
    document_version BIGINT      NOT NULL,
    proposal         BIGINT, -- that confirmed the version
    note             TEXT,
    reviewed_by_kind TEXT        NOT NULL,
    reviewed_by_id   TEXT        NOT NULL,
    reviewed_date    TIMESTAMPTZ NOT NULL,
    CONSTRAINT document_review_pkey PRIMARY KEY (organization, document, number)
);
