-- The words of incidents, risks and documents, for searches. They follow the journal: see src/search.rs. Records that are written
-- after each other have their words beside each other, so that a write changes few pages. A span is of some blocks,
-- whose rows of a word are beside each other: see src/ledger/search/span.rs.

CREATE TABLE search_word (
    organization UUID    NOT NULL,
    noun         TEXT    NOT NULL,
    restricted   BOOLEAN NOT NULL,
    span         BIGINT  NOT NULL, -- the block, divided by the blocks of a span
    word         TEXT    NOT NULL, -- as domain::search cuts and folds it
    block        BIGINT  NOT NULL, -- the numbers of the records, divided by 8192
    records      BYTEA   NOT NULL, -- which records of the block have the word, and where: src/ledger/search/block.rs
    CONSTRAINT search_word_pkey PRIMARY KEY (organization, noun, restricted, span, word, block)
) WITHOUT ROWID;

-- What is in the index of each record, without its parts.

CREATE TABLE search_record (
    organization UUID    NOT NULL,
    noun         TEXT    NOT NULL,
    number       BIGINT  NOT NULL,
    id           TEXT, -- of a document, whose number is known here only
    restricted   BOOLEAN NOT NULL,
    texts        TEXT    NOT NULL, -- the words in their order
    CONSTRAINT search_record_pkey PRIMARY KEY (organization, noun, number)
) WITHOUT ROWID;

CREATE UNIQUE INDEX search_record_id ON search_record (organization, noun, id) WHERE id IS NOT NULL;

-- What is in the index of each part of a record: notes, tasks, links and the review of an incident by the numbers of
-- src/ledger/search/tables.rs, those of a document by src/ledger/search/documents.rs.

CREATE TABLE search_part (
    organization UUID    NOT NULL,
    noun         TEXT    NOT NULL,
    number       BIGINT  NOT NULL,
    part         BIGINT  NOT NULL,
    restricted   BOOLEAN NOT NULL,
    texts        TEXT    NOT NULL, -- the words in their order
    CONSTRAINT search_part_pkey PRIMARY KEY (organization, noun, number, part)
) WITHOUT ROWID;

-- How many parts of a record have a word, so that one is taken out without looking through the others.

CREATE TABLE search_part_word (
    organization UUID    NOT NULL,
    noun         TEXT    NOT NULL,
    number       BIGINT  NOT NULL,
    restricted   BOOLEAN NOT NULL,
    word         TEXT    NOT NULL,
    parts        BIGINT  NOT NULL,
    CONSTRAINT search_part_word_pkey PRIMARY KEY (organization, noun, number, restricted, word)
) WITHOUT ROWID;

-- What the index is to catch up with beside the journal: part 0 is a record itself, which was deleted.

CREATE TABLE search_due (
    organization UUID   NOT NULL,
    noun         TEXT   NOT NULL,
    number       BIGINT NOT NULL,
    part         BIGINT NOT NULL,
    CONSTRAINT search_due_pkey PRIMARY KEY (organization, noun, number, part)
) WITHOUT ROWID;

-- How far the index is.

CREATE TABLE search_progress (
    organization UUID   NOT NULL,
    seq          BIGINT NOT NULL, -- the entry of the journal up to which it has every change
    removals     BIGINT NOT NULL, -- how many writes have changed it beside those that followed the journal
    CONSTRAINT search_progress_pkey PRIMARY KEY (organization)
) WITHOUT ROWID;
