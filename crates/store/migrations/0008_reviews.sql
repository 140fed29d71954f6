-- Reviews of incidents. Each edition is a row: a published one is frozen, and a correction is the next one. The entries of
-- the incident tell of every change.

CREATE TABLE incident_review (
    organization         UUID        NOT NULL,
    incident             BIGINT      NOT NULL,
    edition              BIGINT      NOT NULL, -- counts the incident's editions
    owner                UUID,
    summary              TEXT,
    root_cause           TEXT,
    contributing_factors TEXT,
    impact               TEXT,
    went_well            TEXT,
    lessons              TEXT,
    actions              TEXT, -- JSON: actions are always read and written with their review
    state                TEXT        NOT NULL,
    created_by_kind      TEXT        NOT NULL,
    created_by_id        TEXT        NOT NULL,
    created_date         TIMESTAMPTZ NOT NULL,
    published_date       TIMESTAMPTZ,
    updated_date         TIMESTAMPTZ NOT NULL,
    version              BIGINT      NOT NULL, -- counts the changes of all editions
    seq_from             BIGINT      NOT NULL, -- the entry that began it
    seq                  BIGINT      NOT NULL, -- the entry of the latest change
    CONSTRAINT incident_review_pkey PRIMARY KEY (organization, incident, edition)
);

-- The reviews that a member still has to write.
CREATE INDEX incident_review_by_owner ON incident_review (organization, owner, incident) WHERE published_date IS NULL;

-- The editions that changed after an entry.
CREATE INDEX incident_review_seq ON incident_review (organization, seq);
