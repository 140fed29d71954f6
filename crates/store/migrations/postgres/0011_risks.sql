-- Risks. An evaluation or a tag is no change of a risk.

CREATE TABLE risk (
    organization        uuid        NOT NULL,
    number              bigint      NOT NULL, -- RSK-1 is 1
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
    seq_from            bigint      NOT NULL, -- the journal's number of the latest change
    CONSTRAINT risk_pkey PRIMARY KEY (organization, number)
);

-- The few deleted ones are found without passing the others: to be listed, and to be purged.
CREATE INDEX risk_deleted ON risk (organization, number) WHERE deleted_date IS NOT NULL;

CREATE INDEX risk_trash ON risk (organization, deleted_date, number) WHERE deleted_date IS NOT NULL;

-- Each earlier state of a risk: it was the state from the entry `seq_from` until before the entry `seq_to`.

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

-- A tag on a risk, from the entry `seq_from` until before `seq_to`. Rows are deleted with the risk or tag only.

CREATE TABLE risk_tag (
    organization uuid   NOT NULL,
    risk         bigint NOT NULL,
    tag          uuid   NOT NULL,
    seq_from     bigint NOT NULL,
    seq_to       bigint,
    CONSTRAINT risk_tag_pkey PRIMARY KEY (organization, risk, tag, seq_from)
);

CREATE UNIQUE INDEX risk_tag_now ON risk_tag (organization, risk, tag) WHERE seq_to IS NULL;
