-- Risks. `seq_from` is the journal's number of the latest change; evaluations and tags are no change of a risk.

CREATE TABLE risk (
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
    CONSTRAINT risk_pkey PRIMARY KEY (organization, number)
) STRICT;

-- The few deleted ones are found without passing the others.
CREATE INDEX risk_deleted ON risk (organization, number) WHERE deleted_date IS NOT NULL;

-- Each state of a risk that is no more: it was the state from `seq_from` until before `seq_to`.

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

-- A tag on a risk, from the entry `seq_from` until before `seq_to`. Rows are never deleted.

CREATE TABLE risk_tag (
    organization BLOB    NOT NULL,
    risk         INTEGER NOT NULL,
    tag          BLOB    NOT NULL,
    seq_from     INTEGER NOT NULL,
    seq_to       INTEGER,
    CONSTRAINT risk_tag_pkey PRIMARY KEY (organization, risk, tag, seq_from)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX risk_tag_now ON risk_tag (organization, risk, tag) WHERE seq_to IS NULL;

-- Evaluations are never edited. `seq_from` is the entry that recorded one; `seq_to` the entry that recorded
-- the one which supersedes it, and none while it counts.

CREATE TABLE evaluation (
    organization   BLOB    NOT NULL,
    risk           INTEGER NOT NULL,
    number         INTEGER NOT NULL,
    likelihood     INTEGER NOT NULL,
    impact         INTEGER NOT NULL,
    inherent_score INTEGER NOT NULL,
    target_score   INTEGER NOT NULL,
    basis_points   INTEGER NOT NULL,
    scale_version  INTEGER NOT NULL,
    evaluated_at   INTEGER NOT NULL,
    created_date   INTEGER NOT NULL,
    evaluator_kind TEXT    NOT NULL,
    evaluator_id   TEXT    NOT NULL,
    note           TEXT,
    supersedes     INTEGER,
    superseded_by  INTEGER,
    seq_from       INTEGER NOT NULL,
    seq_to         INTEGER,
    CONSTRAINT evaluation_pkey PRIMARY KEY (organization, risk, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX evaluation_by_time ON evaluation (organization, risk, evaluated_at, number);

-- Follows from the evaluations, and is kept so that the figure never reads them: the latest evaluation of
-- each risk that has one, and whether the risk is deleted and so out of every figure.

CREATE TABLE risk_latest (
    organization BLOB    NOT NULL,
    risk         INTEGER NOT NULL,
    evaluation   INTEGER NOT NULL,
    evaluated_at INTEGER NOT NULL,
    basis_points INTEGER NOT NULL,
    deleted      INTEGER NOT NULL,
    CONSTRAINT risk_latest_pkey PRIMARY KEY (organization, risk)
) STRICT, WITHOUT ROWID;

CREATE INDEX risk_latest_by_time ON risk_latest (organization, evaluated_at, basis_points) WHERE NOT deleted;

-- Counts and sums of `risk_latest` without deleted risks, by the minute, hour, day and 64 days of `evaluated_at`,
-- each span beginning at a multiple of its length since the epoch. A sum that comes down to zero stays: a figure
-- reads at most 64 sums of each length, whatever they say.

CREATE TABLE performance_sum (
    organization BLOB    NOT NULL,
    span_seconds INTEGER NOT NULL,
    start        INTEGER NOT NULL,
    risks        INTEGER NOT NULL,
    basis_points INTEGER NOT NULL,
    CONSTRAINT performance_sum_pkey PRIMARY KEY (organization, span_seconds, start)
) STRICT, WITHOUT ROWID;
