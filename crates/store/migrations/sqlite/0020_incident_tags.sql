-- A tag on an incident, from the entry `seq_from` until before `seq_to`. Rows are deleted with the incident only.

CREATE TABLE incident_tag (
    organization BLOB    NOT NULL,
    incident     INTEGER NOT NULL,
    tag          BLOB    NOT NULL,
    seq_from     INTEGER NOT NULL,
    seq_to       INTEGER,
    CONSTRAINT incident_tag_pkey PRIMARY KEY (organization, incident, tag, seq_from)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX incident_tag_now ON incident_tag (organization, incident, tag) WHERE seq_to IS NULL;
