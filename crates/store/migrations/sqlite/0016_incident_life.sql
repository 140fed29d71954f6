-- The life of an incident, its severity, who sees it, and the system that reports it. A column that most incidents do not
-- use is NULL in them, so an incident that was only declared costs nothing more.

ALTER TABLE incident ADD COLUMN kind TEXT; -- NULL is real
ALTER TABLE incident ADD COLUMN severity TEXT; -- NULL is undetermined
ALTER TABLE incident ADD COLUMN severity_source TEXT;
ALTER TABLE incident ADD COLUMN severity_answers TEXT; -- JSON: what the severity was computed from
ALTER TABLE incident ADD COLUMN external_source TEXT;
ALTER TABLE incident ADD COLUMN external_ref TEXT;
ALTER TABLE incident ADD COLUMN external_sent TEXT; -- JSON: what the external system sent last
ALTER TABLE incident ADD COLUMN restricted INTEGER; -- NULL is false
ALTER TABLE incident ADD COLUMN readers TEXT; -- ids of people, with a space between them
ALTER TABLE incident ADD COLUMN resolved_date INTEGER;
ALTER TABLE incident ADD COLUMN closed_date INTEGER;
ALTER TABLE incident ADD COLUMN first_contained_date INTEGER; -- only once a step back has cleared contained_date
ALTER TABLE incident ADD COLUMN first_resolved_date INTEGER; -- only once a reopening has cleared resolved_date
ALTER TABLE incident ADD COLUMN status_date INTEGER; -- NULL: the status is that of the creation
ALTER TABLE incident ADD COLUMN status_reason TEXT;
ALTER TABLE incident ADD COLUMN last_step_back INTEGER; -- the version that began with it
ALTER TABLE incident ADD COLUMN reopen_count INTEGER; -- NULL is 0
ALTER TABLE incident ADD COLUMN resolution_reason TEXT;
ALTER TABLE incident ADD COLUMN resolution_summary TEXT;
ALTER TABLE incident ADD COLUMN overridden TEXT; -- what was missing when it was closed all the same
ALTER TABLE incident ADD COLUMN duplicate_of INTEGER; -- the number of another incident
ALTER TABLE incident ADD COLUMN hold_since INTEGER;
ALTER TABLE incident ADD COLUMN hold_until INTEGER;
ALTER TABLE incident ADD COLUMN hold_reason TEXT;
ALTER TABLE incident ADD COLUMN hold_by_kind TEXT;
ALTER TABLE incident ADD COLUMN hold_by_id TEXT;
ALTER TABLE incident ADD COLUMN legal_hold INTEGER; -- NULL is false
ALTER TABLE incident ADD COLUMN legal_hold_reason TEXT;

ALTER TABLE incident_history ADD COLUMN kind TEXT;
ALTER TABLE incident_history ADD COLUMN severity TEXT;
ALTER TABLE incident_history ADD COLUMN severity_source TEXT;
ALTER TABLE incident_history ADD COLUMN severity_answers TEXT;
ALTER TABLE incident_history ADD COLUMN external_source TEXT;
ALTER TABLE incident_history ADD COLUMN external_ref TEXT;
ALTER TABLE incident_history ADD COLUMN external_sent TEXT;
ALTER TABLE incident_history ADD COLUMN restricted INTEGER;
ALTER TABLE incident_history ADD COLUMN readers TEXT;
ALTER TABLE incident_history ADD COLUMN resolved_date INTEGER;
ALTER TABLE incident_history ADD COLUMN closed_date INTEGER;
ALTER TABLE incident_history ADD COLUMN first_contained_date INTEGER;
ALTER TABLE incident_history ADD COLUMN first_resolved_date INTEGER;
ALTER TABLE incident_history ADD COLUMN status_date INTEGER;
ALTER TABLE incident_history ADD COLUMN status_reason TEXT;
ALTER TABLE incident_history ADD COLUMN last_step_back INTEGER;
ALTER TABLE incident_history ADD COLUMN reopen_count INTEGER;
ALTER TABLE incident_history ADD COLUMN resolution_reason TEXT;
ALTER TABLE incident_history ADD COLUMN resolution_summary TEXT;
ALTER TABLE incident_history ADD COLUMN overridden TEXT;
ALTER TABLE incident_history ADD COLUMN duplicate_of INTEGER;
ALTER TABLE incident_history ADD COLUMN hold_since INTEGER;
ALTER TABLE incident_history ADD COLUMN hold_until INTEGER;
ALTER TABLE incident_history ADD COLUMN hold_reason TEXT;
ALTER TABLE incident_history ADD COLUMN hold_by_kind TEXT;
ALTER TABLE incident_history ADD COLUMN hold_by_id TEXT;
ALTER TABLE incident_history ADD COLUMN legal_hold INTEGER;
ALTER TABLE incident_history ADD COLUMN legal_hold_reason TEXT;

-- An external system reports one incident under each of its references.
CREATE UNIQUE INDEX incident_external ON incident (organization, external_source, external_ref)
    WHERE external_source IS NOT NULL AND deleted_date IS NULL;

-- The states after which work went back a step, found from the latest one back.
CREATE INDEX incident_history_stepped ON incident_history (organization, number, version, last_step_back)
    WHERE last_step_back IS NOT NULL;
