-- Reviews of incidents. Each edition is a row: a published one is frozen, and a correction is the next one. The entries of
-- the incident tell of every change.

CREATE TABLE incident_review (
    organization         uuid        NOT NULL,
    incident             bigint      NOT NULL,
    edition              bigint      NOT NULL, -- counts the incident's editions
    owner                uuid,
    summary              text,
    root_cause           text,
    contributing_factors text,
    impact               text,
    went_well            text,
    lessons              text,
    actions              text,                -- JSON: actions are always read and written with their review
    state                text        NOT NULL,
    created_by_kind      text        NOT NULL,
    created_by_id        text        NOT NULL,
    created_date         timestamptz NOT NULL,
    published_date       timestamptz,
    updated_date         timestamptz NOT NULL,
    version              bigint      NOT NULL, -- counts the changes of all editions
    seq_from             bigint      NOT NULL, -- the entry that began it
    seq                  bigint      NOT NULL, -- the entry of the latest change
    CONSTRAINT incident_review_pkey PRIMARY KEY (organization, incident, edition)
);

-- The reviews that a member still has to write.
CREATE INDEX incident_review_by_owner ON incident_review (organization, owner, incident) WHERE published_date IS NULL;
