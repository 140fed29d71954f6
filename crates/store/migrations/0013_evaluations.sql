-- Evaluations are never edited, only superseded by another one.

CREATE TABLE evaluation (
    organization             UUID        NOT NULL,
    risk                     BIGINT      NOT NULL,
    number                   BIGINT      NOT NULL, -- counts the risk's evaluations
    rating_likelihood        BIGINT      NOT NULL,
    rating_impact            BIGINT      NOT NULL,
    inherent_score           BIGINT      NOT NULL, -- the plan in force when it was recorded, so that a later plan does not
    target_score             BIGINT, -- rewrite history
    performance_basis_points BIGINT, -- its performance: 1 is 0.01 %; none without a target
    scale_version            BIGINT      NOT NULL,
    evaluated_at             TIMESTAMPTZ NOT NULL,
    evaluated_day            BIGINT      NOT NULL, -- its day in the organization's time zone: days since 1970-01-01
    created_date             TIMESTAMPTZ NOT NULL,
    evaluator_kind           TEXT        NOT NULL,
    evaluator_id             TEXT        NOT NULL,
    note                     TEXT,
    supersedes               BIGINT,
    superseded_by            BIGINT,
    seq_from                 BIGINT      NOT NULL, -- the entry that recorded it
    seq_to                   BIGINT, -- the entry that recorded the one which supersedes it
    CONSTRAINT evaluation_pkey PRIMARY KEY (organization, risk, number)
) WITHOUT ROWID;

CREATE INDEX evaluation_by_time ON evaluation (organization, risk, evaluated_at, number);

-- Derived from the evaluations, so that the performance figure never reads them: the latest evaluation of each risk
-- that has one, and whether the risk is deleted and so out of every figure. Without a target it has no basis points, and
-- is out of them too.

CREATE TABLE risk_latest (
    organization UUID        NOT NULL,
    risk         BIGINT      NOT NULL,
    evaluation   BIGINT      NOT NULL,
    evaluated_at TIMESTAMPTZ NOT NULL,
    basis_points BIGINT,
    deleted      BOOLEAN     NOT NULL,
    CONSTRAINT risk_latest_pkey PRIMARY KEY (organization, risk)
) WITHOUT ROWID;

-- With the risk, so that they are read in pages in this order.
CREATE INDEX risk_latest_by_time ON risk_latest (organization, evaluated_at, basis_points, risk)
    WHERE NOT deleted AND basis_points IS NOT NULL;

-- Derived from `risk_latest` without deleted risks and those without basis points: counts and sums by the minute, hour, day and 64 days of
-- `evaluated_at`, each span beginning at a multiple of its length since the epoch. A sum that comes down to zero
-- stays: a figure reads at most 64 sums of each length, whatever they say.

CREATE TABLE performance_sum (
    organization UUID        NOT NULL,
    span_seconds BIGINT      NOT NULL,
    start        TIMESTAMPTZ NOT NULL,
    risks        BIGINT      NOT NULL,
    basis_points BIGINT      NOT NULL,
    CONSTRAINT performance_sum_pkey PRIMARY KEY (organization, span_seconds, start)
) WITHOUT ROWID;
