-- Evaluations are never edited, only superseded by another one.

CREATE TABLE evaluation (
    organization             BLOB    NOT NULL,
    risk                     INTEGER NOT NULL,
    number                   INTEGER NOT NULL, -- counts the risk's evaluations
    rating_likelihood        INTEGER NOT NULL,
    rating_impact            INTEGER NOT NULL,
    inherent_score           INTEGER NOT NULL, -- the plan in force when it was recorded, so that a later plan does not
    target_score             INTEGER NOT NULL, -- rewrite history
    performance_basis_points INTEGER NOT NULL, -- its performance: 1 is 0.01 %
    scale_version            INTEGER NOT NULL,
    evaluated_at             INTEGER NOT NULL,
    created_date             INTEGER NOT NULL,
    evaluator_kind           TEXT    NOT NULL,
    evaluator_id             TEXT    NOT NULL,
    note                     TEXT,
    supersedes               INTEGER,
    superseded_by            INTEGER,
    seq_from                 INTEGER NOT NULL, -- the entry that recorded it
    seq_to                   INTEGER,          -- the entry that recorded the one which supersedes it
    CONSTRAINT evaluation_pkey PRIMARY KEY (organization, risk, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX evaluation_by_time ON evaluation (organization, risk, evaluated_at, number);

-- Derived from the evaluations, so that the performance figure never reads them: the latest evaluation of each risk
-- that has one, and whether the risk is deleted and so out of every figure.

CREATE TABLE risk_latest (
    organization BLOB    NOT NULL,
    risk         INTEGER NOT NULL,
    evaluation   INTEGER NOT NULL,
    evaluated_at INTEGER NOT NULL,
    basis_points INTEGER NOT NULL,
    deleted      INTEGER NOT NULL,
    CONSTRAINT risk_latest_pkey PRIMARY KEY (organization, risk)
) STRICT, WITHOUT ROWID;

-- With the risk, so that they are read in pages in this order.
CREATE INDEX risk_latest_by_time ON risk_latest (organization, evaluated_at, basis_points, risk) WHERE NOT deleted;

-- Derived from `risk_latest` without deleted risks: counts and sums by the minute, hour, day and 64 days of
-- `evaluated_at`, each span beginning at a multiple of its length since the epoch. A sum that comes down to zero
-- stays: a figure reads at most 64 sums of each length, whatever they say.

CREATE TABLE performance_sum (
    organization BLOB    NOT NULL,
    span_seconds INTEGER NOT NULL,
    start        INTEGER NOT NULL,
    risks        INTEGER NOT NULL,
    basis_points INTEGER NOT NULL,
    CONSTRAINT performance_sum_pkey PRIMARY KEY (organization, span_seconds, start)
) STRICT, WITHOUT ROWID;
