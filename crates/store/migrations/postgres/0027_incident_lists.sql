-- Indexes for the lists of incidents: of incidents that are not deleted, with every column that the list can be filtered by
-- among a million, so that a page is found without reading an incident. See src/incidents/numbers.rs.
--
-- Every number is greater than 0. Only the queries made for these indexes say so, and therefore no other query is planned with
-- them: SQLite, which knows no distribution of values, would otherwise read and sort all incidents of a status for one page.

-- One index for each order.

CREATE INDEX incident_by_number ON incident
    (organization, number) INCLUDE (status, severity, kind, assigned_to, restricted)
    WHERE deleted_date IS NULL AND number > 0;

CREATE INDEX incident_by_detected_date ON incident
    (organization, detected_date, number) INCLUDE (status, severity, kind, assigned_to, restricted)
    WHERE deleted_date IS NULL AND number > 0;

CREATE INDEX incident_by_updated_date ON incident
    (organization, updated_date, number) INCLUDE (status, severity, kind, assigned_to, restricted)
    WHERE deleted_date IS NULL AND number > 0;

-- By the rank of the severity, as the list sorts by it.
CREATE INDEX incident_by_severity ON incident
    (organization, CAST(CASE severity WHEN 'low' THEN 1 WHEN 'medium' THEN 2 WHEN 'high' THEN 3 WHEN 'critical' THEN 4 END AS BIGINT), number)
    INCLUDE (status, severity, kind, assigned_to, restricted, detected_date, updated_date)
    WHERE deleted_date IS NULL AND number > 0;

-- One index for each filter; that of a severity is its order. Of the kinds and the assignees only those that few incidents have.

CREATE INDEX incident_by_status ON incident
    (organization, status, number) INCLUDE (severity, kind, assigned_to, restricted, detected_date, updated_date)
    WHERE deleted_date IS NULL AND number > 0;

CREATE INDEX incident_by_kind ON incident
    (organization, kind, number) INCLUDE (status, severity, assigned_to, restricted, detected_date, updated_date)
    WHERE deleted_date IS NULL AND number > 0 AND kind IS NOT NULL;

CREATE INDEX incident_by_assignee ON incident
    (organization, assigned_to, number) INCLUDE (status, severity, kind, restricted, detected_date, updated_date)
    WHERE deleted_date IS NULL AND number > 0 AND assigned_to IS NOT NULL;

CREATE INDEX incident_tag_by_tag ON incident_tag (organization, tag, incident)
    WHERE seq_to IS NULL AND incident > 0;

-- The incidents that a person opened. Most are opened by clients, which see more than their own.
CREATE INDEX incident_by_opener ON incident (organization, opened_by_id, number) WHERE opened_by_kind = 'user';
