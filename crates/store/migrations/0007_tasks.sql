-- Tasks of incidents and of risks. A deleted one stays as a row: its number is never used again, and the journal can be held
-- against it. The entries of the record tell of every change.

CREATE TABLE incident_task (
    organization    UUID        NOT NULL,
    incident        BIGINT      NOT NULL,
    number          BIGINT      NOT NULL, -- counts the incident's tasks
    title           TEXT        NOT NULL,
    notes           TEXT,
    owner           UUID,
    due             TIMESTAMPTZ,
    mandatory       BOOLEAN     NOT NULL, -- the incident cannot be closed while it is open
    status          TEXT        NOT NULL,
    reason          TEXT, -- why it is not done
    position        BIGINT      NOT NULL, -- where it stands among the tasks of the incident
    created_by_kind TEXT        NOT NULL,
    created_by_id   TEXT        NOT NULL,
    created_date    TIMESTAMPTZ NOT NULL,
    done_date       TIMESTAMPTZ,
    updated_date    TIMESTAMPTZ NOT NULL,
    deleted_date    TIMESTAMPTZ,
    version         BIGINT      NOT NULL,
    seq_from        BIGINT      NOT NULL, -- the entry that made it
    seq             BIGINT      NOT NULL, -- the entry of the latest change
    CONSTRAINT incident_task_pkey PRIMARY KEY (organization, incident, number)
) WITHOUT ROWID;

CREATE INDEX incident_task_by_position ON incident_task (organization, incident, position, number);

-- The lists across records: `seq_from` is the key of a task in the organization, in the order in which tasks were made.
CREATE INDEX incident_task_by_due ON incident_task (organization, due, seq_from) WHERE deleted_date IS NULL;

CREATE INDEX incident_task_by_owner ON incident_task (organization, owner, due, seq_from) WHERE deleted_date IS NULL;

-- The tasks that changed after an entry.
CREATE INDEX incident_task_seq ON incident_task (organization, seq);

-- The same of risks.

CREATE TABLE risk_task (
    organization    UUID        NOT NULL,
    risk            BIGINT      NOT NULL,
    number          BIGINT      NOT NULL, -- counts the risk's tasks
    title           TEXT        NOT NULL,
    notes           TEXT,
    owner           UUID,
    due             TIMESTAMPTZ,
    mandatory       BOOLEAN     NOT NULL, -- never
    status          TEXT        NOT NULL,
    reason          TEXT, -- why it is not done
    position        BIGINT      NOT NULL, -- where it stands among the tasks of the risk
    created_by_kind TEXT        NOT NULL,
    created_by_id   TEXT        NOT NULL,
    created_date    TIMESTAMPTZ NOT NULL,
    done_date       TIMESTAMPTZ,
    updated_date    TIMESTAMPTZ NOT NULL,
    deleted_date    TIMESTAMPTZ,
    version         BIGINT      NOT NULL,
    seq_from        BIGINT      NOT NULL, -- the entry that made it
    seq             BIGINT      NOT NULL, -- the entry of the latest change
    CONSTRAINT risk_task_pkey PRIMARY KEY (organization, risk, number)
) WITHOUT ROWID;

CREATE INDEX risk_task_by_position ON risk_task (organization, risk, position, number);

CREATE INDEX risk_task_by_due ON risk_task (organization, due, seq_from) WHERE deleted_date IS NULL;

CREATE INDEX risk_task_by_owner ON risk_task (organization, owner, due, seq_from) WHERE deleted_date IS NULL;

CREATE INDEX risk_task_seq ON risk_task (organization, seq);
