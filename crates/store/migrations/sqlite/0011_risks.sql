-- Risks. An evaluation or a tag is no change of a risk.

CREATE TABLE risk (
    organization        BLOB    NOT NULL,
    number              INTEGER NOT NULL, -- RSK-1 is 1
    title               TEXT    NOT NULL,
    description         TEXT    NOT NULL,
    category            TEXT,
    owner               BLOB,
    status              TEXT    NOT NULL,
    status_reason       TEXT,
    inherent_likelihood INTEGER NOT NULL,
    inherent_impact     INTEGER NOT NULL,
    target_likelihood   INTEGER NOT NULL,
    target_impact       INTEGER NOT NULL,
    created_date        INTEGER NOT NULL,
    updated_date        INTEGER NOT NULL,
    deleted_date        INTEGER,
    version             INTEGER NOT NULL,
    seq_from            INTEGER NOT NULL, -- the journal's number of the latest change
    CONSTRAINT risk_pkey PRIMARY KEY (organization, number)
) STRICT;

-- The few deleted ones are found without passing the others: to be listed, and to be purged.
CREATE INDEX risk_deleted ON risk (organization, number) WHERE deleted_date IS NOT NULL;

CREATE INDEX risk_trash ON risk (organization, deleted_date, number) WHERE deleted_date IS NOT NULL;

-- Each earlier state of a risk: it was the state from the entry `seq_from` until before the entry `seq_to`.

CREATE TABLE risk_history (
    organization        BLOB    NOT NULL,
    number              INTEGER NOT NULL,
    title               TEXT    NOT NULL,
    description         TEXT    NOT NULL,
    category            TEXT,
    owner               BLOB,
    status              TEXT    NOT NULL,
    status_reason       TEXT,
    inherent_likelihood INTEGER NOT NULL,
    inherent_impact     INTEGER NOT NULL,
    target_likelihood   INTEGER NOT NULL,
    target_impact       INTEGER NOT NULL,
    created_date        INTEGER NOT NULL,
    updated_date        INTEGER NOT NULL,
    deleted_date        INTEGER,
    version             INTEGER NOT NULL,
    seq_from            INTEGER NOT NULL,
    seq_to              INTEGER NOT NULL,
    CONSTRAINT risk_history_pkey PRIMARY KEY (organization, number, seq_from)
) STRICT;

-- A tag on a risk, from the entry `seq_from` until before `seq_to`. Rows are deleted with the risk or tag only.

CREATE TABLE risk_tag (
    organization BLOB    NOT NULL,
    risk         INTEGER NOT NULL,
    tag          BLOB    NOT NULL,
    seq_from     INTEGER NOT NULL,
    seq_to       INTEGER,
    CONSTRAINT risk_tag_pkey PRIMARY KEY (organization, risk, tag, seq_from)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX risk_tag_now ON risk_tag (organization, risk, tag) WHERE seq_to IS NULL;
