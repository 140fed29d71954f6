-- Risks. An evaluation or a tag is no change of a risk.

CREATE TABLE risk (
    organization        UUID        NOT NULL,
    number              BIGINT      NOT NULL, -- RSK-1 is 1
    title               TEXT        NOT NULL,
    description         TEXT        NOT NULL,
    category            TEXT,
    owner               UUID,
    owner_name          TEXT,
    asset               TEXT,
    threat              TEXT,
    vulnerability       TEXT,
    existing_controls   TEXT,
    controls            TEXT, -- numbers with a space between them
    external_ref        TEXT,
    treatment           TEXT        NOT NULL,
    treatment_plan      TEXT,
    status              TEXT        NOT NULL,
    status_reason       TEXT,
    status_date         TIMESTAMPTZ, -- when it was last closed or reopened
    evaluate_every_days BIGINT,
    evaluations_from    BIGINT, -- the day from which the first evaluation, or that after a reopening, is counted
    review_every_days   BIGINT,
    next_review_date    TEXT, -- a day
    inherent_likelihood BIGINT      NOT NULL,
    inherent_impact     BIGINT      NOT NULL,
    target_likelihood   BIGINT, -- without a target the risk has no performance
    target_impact       BIGINT,
    scale_version       BIGINT      NOT NULL, -- of the scale that both ratings are by
    created_date        TIMESTAMPTZ NOT NULL,
    updated_date        TIMESTAMPTZ NOT NULL,
    deleted_date        TIMESTAMPTZ,
    version             BIGINT      NOT NULL,
    seq_from            BIGINT      NOT NULL, -- the journal's number of the latest change
    CONSTRAINT risk_pkey PRIMARY KEY (organization, number)
);

-- The few deleted ones are found without passing the others: to be listed, and to be purged.
CREATE INDEX risk_deleted ON risk (organization, number) WHERE deleted_date IS NOT NULL;

CREATE INDEX risk_trash ON risk (organization, deleted_date, number) WHERE deleted_date IS NOT NULL;

-- Those that are reviewed, by the day on which that is due.
CREATE INDEX risk_next_review ON risk (organization, next_review_date, number)
    WHERE deleted_date IS NULL AND next_review_date IS NOT NULL;

-- The reference of the list that a risk comes from. A deleted risk keeps its own, so that it can be restored.
CREATE UNIQUE INDEX risk_external ON risk (organization, external_ref) WHERE external_ref IS NOT NULL;

-- Each earlier state of a risk: it was the state from the entry `seq_from` until before the entry `seq_to`.
CREATE HISTORY OF risk;

-- Reviews of risks. A row never changes.

CREATE TABLE risk_review (
    organization     UUID        NOT NULL,
    risk             BIGINT      NOT NULL,
    number           BIGINT      NOT NULL, -- counts the risk's reviews
    note             TEXT,
    reviewed_by_kind TEXT        NOT NULL,
    reviewed_by_id   TEXT        NOT NULL,
    reviewed_date    TIMESTAMPTZ NOT NULL,
    seq_from         BIGINT      NOT NULL, -- the entry that recorded it
    CONSTRAINT risk_review_pkey PRIMARY KEY (organization, risk, number)
) WITHOUT ROWID;

-- A tag on a risk, from the entry `seq_from` until before `seq_to`. Rows are deleted with the risk or tag only.

CREATE TABLE risk_tag (
    organization UUID   NOT NULL,
    risk         BIGINT NOT NULL,
    tag          UUID   NOT NULL,
    seq_from     BIGINT NOT NULL,
    seq_to       BIGINT,
    CONSTRAINT risk_tag_pkey PRIMARY KEY (organization, risk, tag, seq_from)
) WITHOUT ROWID;

CREATE UNIQUE INDEX risk_tag_now ON risk_tag (organization, risk, tag) WHERE seq_to IS NULL;

CREATE INDEX risk_tag_by_tag ON risk_tag (organization, tag, risk) WHERE seq_to IS NULL;
