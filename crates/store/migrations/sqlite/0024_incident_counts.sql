-- How many incidents that are not deleted there are of each status, severity, kind and assignee: of all of them, and of those
-- with a tag. Triggers keep the counts, so that every change does, also one by the previous release beside this one.
-- `bailiwick journal verify` compares them with the incidents.

CREATE TABLE incident_count (
    organization BLOB    NOT NULL,
    tag          BLOB    NOT NULL, -- zeros: with any tag or none
    status       TEXT    NOT NULL,
    severity     TEXT    NOT NULL, -- empty: undetermined
    kind         TEXT    NOT NULL, -- empty: real
    assigned_to  BLOB    NOT NULL, -- zeros: nobody
    restricted   INTEGER NOT NULL,
    counted      INTEGER NOT NULL,
    CONSTRAINT incident_count_pkey PRIMARY KEY (organization, tag, status, severity, kind, assigned_to, restricted)
) STRICT, WITHOUT ROWID;

-- The restricted ones, of which each caller sees others.
CREATE INDEX incident_restricted ON incident (organization, number) WHERE restricted IS NOT NULL;

CREATE TRIGGER incident_count_created AFTER INSERT ON incident WHEN NEW.deleted_date IS NULL BEGIN
    INSERT INTO incident_count (organization, tag, status, severity, kind, assigned_to, restricted, counted)
    VALUES (NEW.organization, x'00000000000000000000000000000000', NEW.status, COALESCE(NEW.severity, ''), COALESCE(NEW.kind, ''), COALESCE(NEW.assigned_to, x'00000000000000000000000000000000'), COALESCE(NEW.restricted, 0), 1)
    ON CONFLICT (organization, tag, status, severity, kind, assigned_to, restricted)
        DO UPDATE SET counted = counted + 1;
END;

CREATE TRIGGER incident_count_purged AFTER DELETE ON incident WHEN OLD.deleted_date IS NULL BEGIN
    UPDATE incident_count SET counted = counted - 1
    WHERE organization = OLD.organization AND status = OLD.status
        AND severity = COALESCE(OLD.severity, '') AND kind = COALESCE(OLD.kind, '')
        AND assigned_to = COALESCE(OLD.assigned_to, x'00000000000000000000000000000000') AND restricted = COALESCE(OLD.restricted, 0)
        AND tag IN (SELECT x'00000000000000000000000000000000' AS tag UNION ALL
        SELECT tag FROM incident_tag WHERE organization = OLD.organization AND incident = OLD.number AND seq_to IS NULL);
END;

CREATE TRIGGER incident_count_changed
AFTER UPDATE OF status, severity, kind, assigned_to, restricted, deleted_date ON incident
WHEN OLD.status <> NEW.status OR OLD.severity IS NOT NEW.severity OR OLD.kind IS NOT NEW.kind
    OR OLD.assigned_to IS NOT NEW.assigned_to OR OLD.restricted IS NOT NEW.restricted
    OR (OLD.deleted_date IS NULL) <> (NEW.deleted_date IS NULL)
BEGIN
    UPDATE incident_count SET counted = counted - 1
    WHERE OLD.deleted_date IS NULL AND organization = OLD.organization AND status = OLD.status
        AND severity = COALESCE(OLD.severity, '') AND kind = COALESCE(OLD.kind, '')
        AND assigned_to = COALESCE(OLD.assigned_to, x'00000000000000000000000000000000') AND restricted = COALESCE(OLD.restricted, 0)
        AND tag IN (SELECT x'00000000000000000000000000000000' AS tag UNION ALL
        SELECT tag FROM incident_tag WHERE organization = OLD.organization AND incident = OLD.number AND seq_to IS NULL);
    INSERT INTO incident_count (organization, tag, status, severity, kind, assigned_to, restricted, counted)
    SELECT NEW.organization, tags.tag, NEW.status, COALESCE(NEW.severity, ''), COALESCE(NEW.kind, ''), COALESCE(NEW.assigned_to, x'00000000000000000000000000000000'), COALESCE(NEW.restricted, 0), 1
    FROM (SELECT x'00000000000000000000000000000000' AS tag UNION ALL
        SELECT tag FROM incident_tag WHERE organization = NEW.organization AND incident = NEW.number AND seq_to IS NULL) AS tags
    WHERE NEW.deleted_date IS NULL
    ON CONFLICT (organization, tag, status, severity, kind, assigned_to, restricted)
        DO UPDATE SET counted = counted + 1;
END;

CREATE TRIGGER incident_count_tagged AFTER INSERT ON incident_tag WHEN NEW.seq_to IS NULL BEGIN
    INSERT INTO incident_count (organization, tag, status, severity, kind, assigned_to, restricted, counted)
    SELECT r.organization, NEW.tag, r.status, COALESCE(r.severity, ''), COALESCE(r.kind, ''), COALESCE(r.assigned_to, x'00000000000000000000000000000000'), COALESCE(r.restricted, 0), 1
    FROM incident AS r
    WHERE r.organization = NEW.organization AND r.number = NEW.incident AND r.deleted_date IS NULL
    ON CONFLICT (organization, tag, status, severity, kind, assigned_to, restricted)
        DO UPDATE SET counted = counted + 1;
END;

CREATE TRIGGER incident_count_untagged AFTER UPDATE OF seq_to ON incident_tag
WHEN OLD.seq_to IS NULL AND NEW.seq_to IS NOT NULL BEGIN
    UPDATE incident_count SET counted = counted - 1
    FROM (SELECT * FROM incident
          WHERE organization = OLD.organization AND number = OLD.incident AND deleted_date IS NULL) AS r
    WHERE incident_count.organization = r.organization AND incident_count.tag = OLD.tag
        AND incident_count.status = r.status AND incident_count.severity = COALESCE(r.severity, '')
        AND incident_count.kind = COALESCE(r.kind, '')
        AND incident_count.assigned_to = COALESCE(r.assigned_to, x'00000000000000000000000000000000')
        AND incident_count.restricted = COALESCE(r.restricted, 0);
END;

CREATE TRIGGER incident_count_tag_purged AFTER DELETE ON incident_tag WHEN OLD.seq_to IS NULL BEGIN
    UPDATE incident_count SET counted = counted - 1
    FROM (SELECT * FROM incident
          WHERE organization = OLD.organization AND number = OLD.incident AND deleted_date IS NULL) AS r
    WHERE incident_count.organization = r.organization AND incident_count.tag = OLD.tag
        AND incident_count.status = r.status AND incident_count.severity = COALESCE(r.severity, '')
        AND incident_count.kind = COALESCE(r.kind, '')
        AND incident_count.assigned_to = COALESCE(r.assigned_to, x'00000000000000000000000000000000')
        AND incident_count.restricted = COALESCE(r.restricted, 0);
END;

INSERT INTO incident_count (organization, tag, status, severity, kind, assigned_to, restricted, counted)
SELECT r.organization, tags.tag, r.status, COALESCE(r.severity, ''), COALESCE(r.kind, ''), COALESCE(r.assigned_to, x'00000000000000000000000000000000'), COALESCE(r.restricted, 0), count(*)
FROM incident AS r
JOIN (SELECT organization, number, x'00000000000000000000000000000000' AS tag FROM incident UNION ALL
      SELECT organization, incident, tag FROM incident_tag WHERE seq_to IS NULL) AS tags
    ON tags.organization = r.organization AND tags.number = r.number
WHERE r.deleted_date IS NULL
GROUP BY 1, 2, 3, 4, 5, 6, 7;
