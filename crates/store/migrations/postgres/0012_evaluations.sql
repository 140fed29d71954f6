-- Evaluations are never edited, only superseded by another one.

CREATE TABLE evaluation (
    organization             uuid        NOT NULL,
    risk                     bigint      NOT NULL,
    number                   bigint      NOT NULL, -- counts the risk's evaluations
    rating_likelihood        bigint      NOT NULL,
    rating_impact            bigint      NOT NULL,
    inherent_score           bigint      NOT NULL, -- the plan in force when it was recorded, so that a later plan does not
    target_score             bigint      NOT NULL, -- rewrite history
    performance_basis_points bigint      NOT NULL, -- its performance: 1 is 0.01 %
    scale_version            bigint      NOT NULL,
    evaluated_at             timestamptz NOT NULL,
    created_date             timestamptz NOT NULL,
    evaluator_kind           text        NOT NULL,
    evaluator_id             text        NOT NULL,
    note                     text,
    supersedes               bigint,
    superseded_by            bigint,
    seq_from                 bigint      NOT NULL, -- the entry that recorded it
    seq_to                   bigint,               -- the entry that recorded the one which supersedes it
    CONSTRAINT evaluation_pkey PRIMARY KEY (organization, risk, number)
);

CREATE INDEX evaluation_by_time ON evaluation (organization, risk, evaluated_at, number);

-- Derived from the evaluations, so that the performance figure never reads them: the latest evaluation of each risk
-- that has one, and whether the risk is deleted and so out of every figure.

CREATE TABLE risk_latest (
    organization uuid        NOT NULL,
    risk         bigint      NOT NULL,
    evaluation   bigint      NOT NULL,
    evaluated_at timestamptz NOT NULL,
    basis_points bigint      NOT NULL,
    deleted      boolean     NOT NULL,
    CONSTRAINT risk_latest_pkey PRIMARY KEY (organization, risk)
);

-- With the risk, so that they are read in pages in this order.
CREATE INDEX risk_latest_by_time ON risk_latest (organization, evaluated_at, basis_points, risk) WHERE NOT deleted;

-- Derived from `risk_latest` without deleted risks: counts and sums by the minute, hour, day and 64 days of
-- `evaluated_at`, each span beginning at a multiple of its length since the epoch. A sum that comes down to zero
-- stays: a figure reads at most 64 sums of each length, whatever they say.

CREATE TABLE performance_sum (
    organization uuid        NOT NULL,
    span_seconds bigint      NOT NULL,
    start        timestamptz NOT NULL,
    risks        bigint      NOT NULL,
    basis_points bigint      NOT NULL,
    CONSTRAINT performance_sum_pkey PRIMARY KEY (organization, span_seconds, start)
);
