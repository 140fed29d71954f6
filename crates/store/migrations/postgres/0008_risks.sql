-- Risks. `seq_from` is the journal's number of the latest change; evaluations and tags are no change of a risk.

CREATE TABLE risk (
    organization        uuid        NOT NULL,
    number              bigint      NOT NULL,
    title               text        NOT NULL,
    description         text        NOT NULL,
    category            text,
    owner               uuid,
    status              text        NOT NULL,
    status_reason       text,
    inherent_likelihood bigint      NOT NULL,
    inherent_impact     bigint      NOT NULL,
    target_likelihood   bigint      NOT NULL,
    target_impact       bigint      NOT NULL,
    created_date        timestamptz NOT NULL,
    updated_date        timestamptz NOT NULL,
    deleted_date        timestamptz,
    version             bigint      NOT NULL,
    seq_from            bigint      NOT NULL,
    CONSTRAINT risk_pkey PRIMARY KEY (organization, number)
);

-- The few deleted ones are found without passing the others.
CREATE INDEX risk_deleted ON risk (organization, number) WHERE deleted_date IS NOT NULL;

-- Each state of a risk that is no more: it was the state from `seq_from` until before `seq_to`.

CREATE TABLE risk_history (
    organization        uuid        NOT NULL,
    number              bigint      NOT NULL,
    title               text        NOT NULL,
    description         text        NOT NULL,
    category            text,
    owner               uuid,
    status              text        NOT NULL,
    status_reason       text,
    inherent_likelihood bigint      NOT NULL,
    inherent_impact     bigint      NOT NULL,
    target_likelihood   bigint      NOT NULL,
    target_impact       bigint      NOT NULL,
    created_date        timestamptz NOT NULL,
    updated_date        timestamptz NOT NULL,
    deleted_date        timestamptz,
    version             bigint      NOT NULL,
    seq_from            bigint      NOT NULL,
    seq_to              bigint      NOT NULL,
    CONSTRAINT risk_history_pkey PRIMARY KEY (organization, number, seq_from)
);

-- A tag on a risk, from the entry `seq_from` until before `seq_to`. Rows are never deleted.

CREATE TABLE risk_tag (
    organization uuid   NOT NULL,
    risk         bigint NOT NULL,
    tag          uuid   NOT NULL,
    seq_from     bigint NOT NULL,
    seq_to       bigint,
    CONSTRAINT risk_tag_pkey PRIMARY KEY (organization, risk, tag, seq_from)
);

CREATE UNIQUE INDEX risk_tag_now ON risk_tag (organization, risk, tag) WHERE seq_to IS NULL;

-- Evaluations are never edited. `seq_from` is the entry that recorded one; `seq_to` the entry that recorded
-- the one which supersedes it, and none while it counts.

CREATE TABLE evaluation (
    organization   uuid        NOT NULL,
    risk           bigint      NOT NULL,
    number         bigint      NOT NULL,
    likelihood     bigint      NOT NULL,
    impact         bigint      NOT NULL,
    inherent_score bigint      NOT NULL,
    target_score   bigint      NOT NULL,
    basis_points   bigint      NOT NULL,
    scale_version  bigint      NOT NULL,
    evaluated_at   timestamptz NOT NULL,
    created_date   timestamptz NOT NULL,
    evaluator_kind text        NOT NULL,
    evaluator_id   text        NOT NULL,
    note           text,
    supersedes     bigint,
    superseded_by  bigint,
    seq_from       bigint      NOT NULL,
    seq_to         bigint,
    CONSTRAINT evaluation_pkey PRIMARY KEY (organization, risk, number)
);

CREATE INDEX evaluation_by_time ON evaluation (organization, risk, evaluated_at, number);

-- Follows from the evaluations, and is kept so that the figure never reads them: the latest evaluation of
-- each risk that has one, and whether the risk is deleted and so out of every figure.

CREATE TABLE risk_latest (
    organization uuid        NOT NULL,
    risk         bigint      NOT NULL,
    evaluation   bigint      NOT NULL,
    evaluated_at timestamptz NOT NULL,
    basis_points bigint      NOT NULL,
    deleted      boolean     NOT NULL,
    CONSTRAINT risk_latest_pkey PRIMARY KEY (organization, risk)
);

CREATE INDEX risk_latest_by_time ON risk_latest (organization, evaluated_at, basis_points) WHERE NOT deleted;

-- Counts and sums of `risk_latest` without deleted risks, by the minute, hour, day and 64 days of `evaluated_at`,
-- each span beginning at a multiple of its length since the epoch. A sum that comes down to zero stays: a figure
-- reads at most 64 sums of each length, whatever they say.

CREATE TABLE performance_sum (
    organization uuid        NOT NULL,
    span_seconds bigint      NOT NULL,
    start        timestamptz NOT NULL,
    risks        bigint      NOT NULL,
    basis_points bigint      NOT NULL,
    CONSTRAINT performance_sum_pkey PRIMARY KEY (organization, span_seconds, start)
);
