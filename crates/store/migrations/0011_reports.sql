-- Messages of external systems about incidents that were closed or dismissed.

CREATE TABLE incident_report (
    organization     UUID        NOT NULL,
    incident         BIGINT      NOT NULL,
    number           BIGINT      NOT NULL,
    message          TEXT        NOT NULL, -- JSON
    last_step_back   BIGINT, -- that of the incident
    created_date     TIMESTAMPTZ NOT NULL,
    reported_by_kind TEXT        NOT NULL,
    reported_by_id   TEXT        NOT NULL,
    seq_from         BIGINT      NOT NULL,
    CONSTRAINT incident_report_pkey PRIMARY KEY (organization, incident, number)
);
