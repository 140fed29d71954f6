-- Reviews of incidents. Each edition is a row: a published one is frozen, and a correction is the next one. The entries of
-- the incident tell of every change.

CREATE TABLE incident_review (
    organization         BLOB    NOT NULL,
    incident             INTEGER NOT NULL,
    edition              INTEGER NOT NULL, -- counts the incident's editions
    owner                BLOB,
    summary              TEXT,
    root_cause           TEXT,
    contributing_factors TEXT,
    impact               TEXT,
    went_well            TEXT,
    lessons              TEXT,
    actions              TEXT,             -- JSON: actions are always read and written with their review
    state                TEXT    NOT NULL,
    created_by_kind      TEXT    NOT NULL,
    created_by_id        TEXT    NOT NULL,
    created_date         INTEGER NOT NULL,
    published_date       INTEGER,
    updated_date         INTEGER NOT NULL,
    version              INTEGER NOT NULL, -- counts the changes of all editions
    seq_from             INTEGER NOT NULL, -- the entry that began it
    seq                  INTEGER NOT NULL, -- the entry of the latest change
    CONSTRAINT incident_review_pkey PRIMARY KEY (organization, incident, edition)
) STRICT;

-- The reviews that a member still has to write.
CREATE INDEX incident_review_by_owner ON incident_review (organization, owner, incident) WHERE published_date IS NULL;
