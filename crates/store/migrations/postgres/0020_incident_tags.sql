-- A tag on an incident, from the entry `seq_from` until before `seq_to`. Rows are deleted with the incident only.

CREATE TABLE incident_tag (
    organization uuid   NOT NULL,
    incident     bigint NOT NULL,
    tag          uuid   NOT NULL,
    seq_from     bigint NOT NULL,
    seq_to       bigint,
    CONSTRAINT incident_tag_pkey PRIMARY KEY (organization, incident, tag, seq_from)
);

CREATE UNIQUE INDEX incident_tag_now ON incident_tag (organization, incident, tag) WHERE seq_to IS NULL;
