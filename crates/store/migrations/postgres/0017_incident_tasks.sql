-- Tasks of incidents. A deleted one stays as a row: its number is never used again, and the journal can be held against
-- it. The entries of the incident tell of every change.

CREATE TABLE incident_task (
    organization    uuid        NOT NULL,
    incident        bigint      NOT NULL,
    number          bigint      NOT NULL, -- counts the incident's tasks
    title           text        NOT NULL,
    notes           text,
    owner           uuid,
    due             timestamptz,
    mandatory       boolean     NOT NULL, -- the incident cannot be closed while it is open
    status          text        NOT NULL,
    reason          text,                 -- why it is not done
    position        bigint      NOT NULL, -- where it stands among the tasks of the incident
    created_by_kind text        NOT NULL,
    created_by_id   text        NOT NULL,
    created_date    timestamptz NOT NULL,
    done_date       timestamptz,
    updated_date    timestamptz NOT NULL,
    deleted_date    timestamptz,
    version         bigint      NOT NULL,
    seq_from        bigint      NOT NULL, -- the entry that made it
    seq             bigint      NOT NULL, -- the entry of the latest change
    CONSTRAINT incident_task_pkey PRIMARY KEY (organization, incident, number)
);

CREATE INDEX incident_task_by_position ON incident_task (organization, incident, position, number);

-- The lists across incidents: `seq_from` is the key of a task in the organization, in the order in which tasks were made.
CREATE INDEX incident_task_by_due ON incident_task (organization, due, seq_from) WHERE deleted_date IS NULL;

CREATE INDEX incident_task_by_owner ON incident_task (organization, owner, due, seq_from) WHERE deleted_date IS NULL;
