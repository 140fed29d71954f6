-- Links of an incident to other incidents, risks, documents and addresses. Each has one of the four. A link that was removed
-- stays, so that its number is not used again.

CREATE TABLE incident_link (
    organization    UUID        NOT NULL,
    incident        BIGINT      NOT NULL,
    number          BIGINT      NOT NULL,
    kind            TEXT        NOT NULL,
    to_incident     BIGINT,
    to_risk         BIGINT,
    to_document     TEXT, -- the slug
    url             TEXT,
    title           TEXT, -- of the url
    created_date    TIMESTAMPTZ NOT NULL,
    created_by_kind TEXT        NOT NULL,
    created_by_id   TEXT        NOT NULL,
    removed_date    TIMESTAMPTZ,
    seq_from        BIGINT      NOT NULL, -- the entry that made it
    seq             BIGINT      NOT NULL, -- the entry of its latest change
    CONSTRAINT incident_link_pkey PRIMARY KEY (organization, incident, number)
);

-- The links that lead to a record, in the order in which they were made.

CREATE INDEX incident_link_to_incident ON incident_link (organization, to_incident, seq_from) WHERE to_incident IS NOT NULL;

CREATE INDEX incident_link_to_risk ON incident_link (organization, to_risk, seq_from) WHERE to_risk IS NOT NULL;

CREATE INDEX incident_link_to_document ON incident_link (organization, to_document, seq_from) WHERE to_document IS NOT NULL;

-- The links that changed after an entry.
CREATE INDEX incident_link_seq ON incident_link (organization, seq);
