-- The words of incidents, risks and documents, for searches. They follow the journal: see src/search.rs. Records that are written
-- after each other have their words beside each other, so that a write changes few pages. A span is of some blocks,
-- whose rows of a word are beside each other: see src/search/span.rs.

CREATE TABLE search_word (
    organization BLOB    NOT NULL,
    noun         TEXT    NOT NULL,
    restricted   INTEGER NOT NULL,
    span         INTEGER NOT NULL, -- the block, divided by the blocks of a span
    word         TEXT    NOT NULL, -- as domain::search cuts and folds it
    block        INTEGER NOT NULL, -- the numbers of the records, divided by 8192
    records      BLOB    NOT NULL, -- which records of the block have the word, and where: src/search/block.rs
    CONSTRAINT search_word_pkey PRIMARY KEY (organization, noun, restricted, span, word, block)
) STRICT, WITHOUT ROWID;

-- What is in the index of each record.

CREATE TABLE search_record (
    organization BLOB    NOT NULL,
    noun         TEXT    NOT NULL,
    number       INTEGER NOT NULL,
    id           TEXT,             -- of a document, whose number is known here only
    restricted   INTEGER NOT NULL,
    texts        TEXT    NOT NULL, -- the words in their order
    CONSTRAINT search_record_pkey PRIMARY KEY (organization, noun, number)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX search_record_id ON search_record (organization, noun, id) WHERE id IS NOT NULL;

-- How far the index is.

CREATE TABLE search_progress (
    organization BLOB    NOT NULL,
    seq          INTEGER NOT NULL, -- the entry of the journal up to which it has every change
    removals     INTEGER NOT NULL, -- how many writes have taken out of it what records have lost
    CONSTRAINT search_progress_pkey PRIMARY KEY (organization)
) STRICT, WITHOUT ROWID;
