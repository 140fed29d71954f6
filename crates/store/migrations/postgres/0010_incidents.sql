CREATE TABLE incident (
    organization       uuid        NOT NULL,
    number             bigint      NOT NULL, -- INC-0001 is 1
    title              text        NOT NULL,
    description        text        NOT NULL,
    status             text COLLATE "C" NOT NULL,
    severity_reasoning text,
    source             text,
    assigned_to        uuid,
    opened_by_kind     text        NOT NULL,
    opened_by_id       text COLLATE "C" NOT NULL,
    occurred_date      timestamptz,
    detected_date      timestamptz NOT NULL,
    responded_date     timestamptz,
    contained_date     timestamptz,
    created_date       timestamptz NOT NULL,
    updated_date       timestamptz NOT NULL,
    deleted_date       timestamptz,
    version            bigint      NOT NULL,
    seq_from           bigint      NOT NULL, -- the journal's number of the latest change
    CONSTRAINT incident_pkey PRIMARY KEY (organization, number)
);

-- The few deleted ones are found without passing the others: to be listed, and to be purged.
CREATE INDEX incident_deleted ON incident (organization, number) WHERE deleted_date IS NOT NULL;

CREATE INDEX incident_trash ON incident (organization, deleted_date, number) WHERE deleted_date IS NOT NULL;

-- Each earlier state of an incident: it was the state from the entry `seq_from` until before the entry `seq_to`.

CREATE TABLE incident_history (
    organization       uuid        NOT NULL,
    number             bigint      NOT NULL,
    title              text        NOT NULL,
    description        text        NOT NULL,
    status             text COLLATE "C" NOT NULL,
    severity_reasoning text,
    source             text,
    assigned_to        uuid,
    opened_by_kind     text        NOT NULL,
    opened_by_id       text COLLATE "C" NOT NULL,
    occurred_date      timestamptz,
    detected_date      timestamptz NOT NULL,
    responded_date     timestamptz,
    contained_date     timestamptz,
    created_date       timestamptz NOT NULL,
    updated_date       timestamptz NOT NULL,
    deleted_date       timestamptz,
    version            bigint      NOT NULL,
    seq_from           bigint      NOT NULL,
    seq_to             bigint      NOT NULL,
    CONSTRAINT incident_history_pkey PRIMARY KEY (organization, number, seq_from)
);
