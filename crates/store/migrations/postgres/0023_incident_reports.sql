-- Messages of external systems about incidents that were closed or dismissed.

CREATE TABLE incident_report (
    organization     uuid        NOT NULL,
    incident         bigint      NOT NULL,
    number           bigint      NOT NULL,
    message          text        NOT NULL, -- JSON
    last_step_back   bigint, -- that of the incident
    created_date     timestamptz NOT NULL,
    reported_by_kind text        NOT NULL,
    reported_by_id   text        NOT NULL,
    seq_from         bigint      NOT NULL,
    CONSTRAINT incident_report_pkey PRIMARY KEY (organization, incident, number)
);
