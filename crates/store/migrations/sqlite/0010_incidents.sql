CREATE TABLE incident (
    organization       BLOB    NOT NULL,
    number             INTEGER NOT NULL, -- INC-0001 is 1
    title              TEXT    NOT NULL,
    description        TEXT    NOT NULL,
    status             TEXT    NOT NULL,
    severity_reasoning TEXT,
    source             TEXT,
    assigned_to        BLOB,
    opened_by_kind     TEXT    NOT NULL,
    opened_by_id       TEXT    NOT NULL,
    occurred_date      INTEGER,
    detected_date      INTEGER NOT NULL,
    responded_date     INTEGER,
    contained_date     INTEGER,
    created_date       INTEGER NOT NULL,
    updated_date       INTEGER NOT NULL,
    deleted_date       INTEGER,
    version            INTEGER NOT NULL,
    seq_from           INTEGER NOT NULL, -- the journal's number of the latest change
    CONSTRAINT incident_pkey PRIMARY KEY (organization, number)
) STRICT;

-- The few deleted ones are found without passing the others: to be listed, and to be purged.
CREATE INDEX incident_deleted ON incident (organization, number) WHERE deleted_date IS NOT NULL;

CREATE INDEX incident_trash ON incident (organization, deleted_date, number) WHERE deleted_date IS NOT NULL;

-- Each earlier state of an incident: it was the state from the entry `seq_from` until before the entry `seq_to`.

CREATE TABLE incident_history (
    organization       BLOB    NOT NULL,
    number             INTEGER NOT NULL,
    title              TEXT    NOT NULL,
    description        TEXT    NOT NULL,
    status             TEXT    NOT NULL,
    severity_reasoning TEXT,
    source             TEXT,
    assigned_to        BLOB,
    opened_by_kind     TEXT    NOT NULL,
    opened_by_id       TEXT    NOT NULL,
    occurred_date      INTEGER,
    detected_date      INTEGER NOT NULL,
    responded_date     INTEGER,
    contained_date     INTEGER,
    created_date       INTEGER NOT NULL,
    updated_date       INTEGER NOT NULL,
    deleted_date       INTEGER,
    version            INTEGER NOT NULL,
    seq_from           INTEGER NOT NULL,
    seq_to             INTEGER NOT NULL,
    CONSTRAINT incident_history_pkey PRIMARY KEY (organization, number, seq_from)
) STRICT;
