-- The life of an incident, its severity, who sees it, and the system that reports it. A column that most incidents do not
-- use is NULL in them, so an incident that was only declared costs nothing more.

ALTER TABLE incident ADD COLUMN kind text COLLATE "C"; -- NULL is real
ALTER TABLE incident ADD COLUMN severity text COLLATE "C"; -- NULL is undetermined
ALTER TABLE incident ADD COLUMN severity_source text;
ALTER TABLE incident ADD COLUMN severity_answers text; -- JSON: what the severity was computed from
ALTER TABLE incident ADD COLUMN external_source text COLLATE "C";
ALTER TABLE incident ADD COLUMN external_ref text COLLATE "C";
ALTER TABLE incident ADD COLUMN external_sent text; -- JSON: what the external system sent last
ALTER TABLE incident ADD COLUMN restricted boolean; -- NULL is false
ALTER TABLE incident ADD COLUMN readers text; -- ids of people, with a space between them
ALTER TABLE incident ADD COLUMN resolved_date timestamptz;
ALTER TABLE incident ADD COLUMN closed_date timestamptz;
ALTER TABLE incident ADD COLUMN first_contained_date timestamptz; -- only once a step back has cleared contained_date
ALTER TABLE incident ADD COLUMN first_resolved_date timestamptz; -- only once a reopening has cleared resolved_date
ALTER TABLE incident ADD COLUMN status_date timestamptz; -- NULL: the status is that of the creation
ALTER TABLE incident ADD COLUMN status_reason text;
ALTER TABLE incident ADD COLUMN last_step_back bigint; -- the version that began with it
ALTER TABLE incident ADD COLUMN reopen_count bigint; -- NULL is 0
ALTER TABLE incident ADD COLUMN resolution_reason text;
ALTER TABLE incident ADD COLUMN resolution_summary text;
ALTER TABLE incident ADD COLUMN overridden text; -- what was missing when it was closed all the same
ALTER TABLE incident ADD COLUMN duplicate_of bigint; -- the number of another incident
ALTER TABLE incident ADD COLUMN hold_since timestamptz;
ALTER TABLE incident ADD COLUMN hold_until timestamptz;
ALTER TABLE incident ADD COLUMN hold_reason text;
ALTER TABLE incident ADD COLUMN hold_by_kind text;
ALTER TABLE incident ADD COLUMN hold_by_id text;
ALTER TABLE incident ADD COLUMN legal_hold boolean; -- NULL is false
ALTER TABLE incident ADD COLUMN legal_hold_reason text;

ALTER TABLE incident_history ADD COLUMN kind text COLLATE "C";
ALTER TABLE incident_history ADD COLUMN severity text COLLATE "C";
ALTER TABLE incident_history ADD COLUMN severity_source text;
ALTER TABLE incident_history ADD COLUMN severity_answers text;
ALTER TABLE incident_history ADD COLUMN external_source text COLLATE "C";
ALTER TABLE incident_history ADD COLUMN external_ref text COLLATE "C";
ALTER TABLE incident_history ADD COLUMN external_sent text;
ALTER TABLE incident_history ADD COLUMN restricted boolean;
ALTER TABLE incident_history ADD COLUMN readers text;
ALTER TABLE incident_history ADD COLUMN resolved_date timestamptz;
ALTER TABLE incident_history ADD COLUMN closed_date timestamptz;
ALTER TABLE incident_history ADD COLUMN first_contained_date timestamptz;
ALTER TABLE incident_history ADD COLUMN first_resolved_date timestamptz;
ALTER TABLE incident_history ADD COLUMN status_date timestamptz;
ALTER TABLE incident_history ADD COLUMN status_reason text;
ALTER TABLE incident_history ADD COLUMN last_step_back bigint;
ALTER TABLE incident_history ADD COLUMN reopen_count bigint;
ALTER TABLE incident_history ADD COLUMN resolution_reason text;
ALTER TABLE incident_history ADD COLUMN resolution_summary text;
ALTER TABLE incident_history ADD COLUMN overridden text;
ALTER TABLE incident_history ADD COLUMN duplicate_of bigint;
ALTER TABLE incident_history ADD COLUMN hold_since timestamptz;
ALTER TABLE incident_history ADD COLUMN hold_until timestamptz;
ALTER TABLE incident_history ADD COLUMN hold_reason text;
ALTER TABLE incident_history ADD COLUMN hold_by_kind text;
ALTER TABLE incident_history ADD COLUMN hold_by_id text;
ALTER TABLE incident_history ADD COLUMN legal_hold boolean;
ALTER TABLE incident_history ADD COLUMN legal_hold_reason text;

-- An external system reports one incident under each of its references.
CREATE UNIQUE INDEX incident_external ON incident (organization, external_source, external_ref)
    WHERE external_source IS NOT NULL AND deleted_date IS NULL;

-- The states after which work went back a step, found from the latest one back.
CREATE INDEX incident_history_stepped ON incident_history (organization, number, version, last_step_back)
    WHERE last_step_back IS NOT NULL;
