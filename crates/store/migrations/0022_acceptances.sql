-- Acceptances of risks, from the request on. A row is the present state, and the history has the earlier ones. What was accepted
-- is copied into it with the decision.

CREATE TABLE risk_acceptance (
    organization        UUID        NOT NULL,
    risk                BIGINT      NOT NULL,
    number              BIGINT      NOT NULL, -- counts the risk's acceptances
    state               TEXT        NOT NULL, -- what has expired is not marked so: that follows from the day
    reason              TEXT        NOT NULL,
    until               TEXT        NOT NULL, -- the last day, such as 2026-03-31
    requested_by_kind   TEXT        NOT NULL,
    requested_by_id     TEXT        NOT NULL,
    requested_date      TIMESTAMPTZ NOT NULL,
    four_eyes_waived    TEXT, -- why those may decide who have asked
    decided_by_kind     TEXT,
    decided_by_id       TEXT,
    decided_date        TIMESTAMPTZ,
    on_behalf_of        UUID,
    note                TEXT,
    board               TEXT, -- who decided without signing in
    board_date          TEXT,
    minutes             TEXT,
    confirmed_by_kind   TEXT, -- who decides now and has confirmed it
    confirmed_by_id     TEXT,
    confirmed_on_behalf_of UUID,
    confirmed_date      TIMESTAMPTZ,
    end_reason          TEXT,
    ended_by_kind       TEXT,
    ended_by_id         TEXT,
    ended_date          TIMESTAMPTZ,
    updated_date        TIMESTAMPTZ NOT NULL,
    version             BIGINT      NOT NULL,
    seq                 BIGINT      NOT NULL, -- the entry that made it
    seq_from            BIGINT      NOT NULL, -- the entry of its latest change
    risk_version        BIGINT      NOT NULL,
    treatment           TEXT        NOT NULL,
    treatment_plan      TEXT,
    evaluation          BIGINT      NOT NULL,
    evaluated_at        TIMESTAMPTZ NOT NULL,
    rating_likelihood   BIGINT      NOT NULL,
    rating_impact       BIGINT      NOT NULL,
    scale_version       BIGINT      NOT NULL,
    band                TEXT        NOT NULL,
    band_place          BIGINT      NOT NULL,
    band_count          BIGINT      NOT NULL,
    stale_by            BIGINT,
    scale_until         TEXT,
    CONSTRAINT risk_acceptance_pkey PRIMARY KEY (organization, risk, number)
);

-- What ends first comes first.
CREATE INDEX risk_acceptance_until ON risk_acceptance (organization, until, seq);

CREATE HISTORY OF risk_acceptance;

-- A risk has one open request at most.
CREATE UNIQUE INDEX risk_acceptance_open ON risk_acceptance (organization, risk) WHERE state = 'requested';
