-- Messages of external systems about incidents that were closed or dismissed.

CREATE TABLE incident_report (
    organization     BLOB    NOT NULL,
    incident         INTEGER NOT NULL,
    number           INTEGER NOT NULL,
    message          TEXT    NOT NULL, -- JSON
    last_step_back   INTEGER, -- that of the incident
    created_date     INTEGER NOT NULL,
    reported_by_kind TEXT    NOT NULL,
    reported_by_id   TEXT    NOT NULL,
    seq_from         INTEGER NOT NULL,
    CONSTRAINT incident_report_pkey PRIMARY KEY (organization, incident, number)
) STRICT;
