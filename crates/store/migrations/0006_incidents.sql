-- A column that most incidents do not use is NULL in them, so that one that was only declared costs nothing more.

CREATE TABLE incident (
    organization         UUID        NOT NULL,
    number               BIGINT      NOT NULL, -- INC-0001 is 1
    title                TEXT        NOT NULL,
    description          TEXT        NOT NULL,
    status               TEXT        NOT NULL,
    severity_reasoning   TEXT,
    source               TEXT,
    location             TEXT,
    assigned_to          UUID,
    opened_by_kind       TEXT        NOT NULL,
    opened_by_id         TEXT        NOT NULL,
    occurred_date        TIMESTAMPTZ,
    detected_date        TIMESTAMPTZ NOT NULL,
    responded_date       TIMESTAMPTZ,
    contained_date       TIMESTAMPTZ,
    created_date         TIMESTAMPTZ NOT NULL,
    updated_date         TIMESTAMPTZ NOT NULL,
    deleted_date         TIMESTAMPTZ,
    version              BIGINT      NOT NULL,
    seq_from             BIGINT      NOT NULL, -- the journal's number of the latest change
    kind                 TEXT, -- NULL is real
    severity             TEXT, -- NULL is undetermined
    severity_source      TEXT,
    severity_answers     TEXT, -- JSON: what the severity was computed from
    external_source      TEXT,
    external_ref         TEXT,
    external_sent        TEXT, -- JSON: what the external system sent last
    restricted           BOOLEAN, -- NULL is false
    readers              TEXT, -- ids of people, with a space between them
    resolved_date        TIMESTAMPTZ,
    closed_date          TIMESTAMPTZ,
    first_contained_date TIMESTAMPTZ, -- only once a step back has cleared contained_date
    first_resolved_date  TIMESTAMPTZ, -- only once a reopening has cleared resolved_date
    status_date          TIMESTAMPTZ, -- NULL: the status is that of the creation
    status_reason        TEXT,
    last_step_back       BIGINT, -- the version that began with it
    reopen_count         BIGINT, -- NULL is 0
    resolution_reason    TEXT,
    resolution_summary   TEXT,
    overridden           TEXT, -- what was missing when it was closed all the same
    duplicate_of         BIGINT, -- the number of another incident
    hold_since           TIMESTAMPTZ,
    hold_until           TIMESTAMPTZ,
    hold_reason          TEXT,
    hold_by_kind         TEXT,
    hold_by_id           TEXT,
    legal_hold           BOOLEAN, -- NULL is false
    legal_hold_reason    TEXT,
    CONSTRAINT incident_pkey PRIMARY KEY (organization, number)
);

-- The few deleted ones are found without passing the others: to be listed, and to be purged.
CREATE INDEX incident_deleted ON incident (organization, number) WHERE deleted_date IS NOT NULL;

CREATE INDEX incident_trash ON incident (organization, deleted_date, number) WHERE deleted_date IS NOT NULL;

-- Each earlier state of an incident: it was the state from the entry `seq_from` until before the entry `seq_to`.
CREATE HISTORY OF incident;

-- An external system reports one incident under each of its references.
CREATE UNIQUE INDEX incident_external ON incident (organization, external_source, external_ref)
    WHERE external_source IS NOT NULL AND deleted_date IS NULL;

-- The states after which work went back a step, found from the latest one back.
CREATE INDEX incident_history_stepped ON incident_history (organization, number, version, last_step_back)
    WHERE last_step_back IS NOT NULL;

-- A tag on an incident, from the entry `seq_from` until before `seq_to`. Rows are deleted with the incident only.

CREATE TABLE incident_tag (
    organization UUID   NOT NULL,
    incident     BIGINT NOT NULL,
    tag          UUID   NOT NULL,
    seq_from     BIGINT NOT NULL,
    seq_to       BIGINT,
    CONSTRAINT incident_tag_pkey PRIMARY KEY (organization, incident, tag, seq_from)
) WITHOUT ROWID;

CREATE UNIQUE INDEX incident_tag_now ON incident_tag (organization, incident, tag) WHERE seq_to IS NULL;

-- How many incidents that are not deleted there are of each status, severity, kind and assignee: of all of them, and of those
-- with a tag. Triggers keep the counts, so that every change does, also one by the previous release beside this one.
-- `bailiwick journal verify` compares them with the incidents.

CREATE TABLE incident_count (
    organization UUID    NOT NULL,
    tag          UUID    NOT NULL, -- zeros: with any tag or none
    status       TEXT    NOT NULL,
    severity     TEXT    NOT NULL, -- empty: undetermined
    kind         TEXT    NOT NULL, -- empty: real
    assigned_to  UUID    NOT NULL, -- zeros: nobody
    restricted   BOOLEAN NOT NULL,
    counted      BIGINT  NOT NULL,
    CONSTRAINT incident_count_pkey PRIMARY KEY (organization, tag, status, severity, kind, assigned_to, restricted)
) WITHOUT ROWID;

-- The restricted ones, of which each caller sees others.
CREATE INDEX incident_restricted ON incident (organization, number) WHERE restricted IS NOT NULL;

-- On SQLite:

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

-- On PostgreSQL:

-- Adds an incident to the counts of these tags, or with -1 takes it away. PL/pgSQL keeps the plan: a change costs some 50 µs,
-- and 100 to 240 µs with a function in SQL, which is planned at each call.
CREATE FUNCTION incident_count_add(r incident, tags uuid[], change bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO incident_count (organization, tag, status, severity, kind, assigned_to, restricted, counted)
    SELECT r.organization, tag, r.status, COALESCE(r.severity, ''), COALESCE(r.kind, ''),
        COALESCE(r.assigned_to, '00000000-0000-0000-0000-000000000000'::uuid), COALESCE(r.restricted, FALSE), change
    FROM unnest(tags) AS tag
    WHERE r.deleted_date IS NULL
    ON CONFLICT (organization, tag, status, severity, kind, assigned_to, restricted)
        DO UPDATE SET counted = incident_count.counted + change;
END
$$;

-- The tags on an incident, and the one that stands for all incidents.
CREATE FUNCTION incident_count_tags(r incident) RETURNS uuid[] LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN array_append(
        array(SELECT tag FROM incident_tag
              WHERE organization = r.organization AND incident = r.number AND seq_to IS NULL),
        '00000000-0000-0000-0000-000000000000'::uuid);
END
$$;

CREATE FUNCTION incident_count_incident() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM incident_count_add(NEW, ARRAY['00000000-0000-0000-0000-000000000000'::uuid], 1);
    ELSIF TG_OP = 'DELETE' THEN
        PERFORM incident_count_add(OLD, incident_count_tags(OLD), -1);
    ELSE
        PERFORM incident_count_add(OLD, incident_count_tags(OLD), -1);
        PERFORM incident_count_add(NEW, incident_count_tags(NEW), 1);
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION incident_count_tag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM incident_count_add(r, ARRAY[NEW.tag], 1) FROM incident AS r
        WHERE r.organization = NEW.organization AND r.number = NEW.incident;
    ELSE
        PERFORM incident_count_add(r, ARRAY[OLD.tag], -1) FROM incident AS r
        WHERE r.organization = OLD.organization AND r.number = OLD.incident;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER incident_count_created AFTER INSERT ON incident
    FOR EACH ROW WHEN (NEW.deleted_date IS NULL) EXECUTE FUNCTION incident_count_incident();
CREATE TRIGGER incident_count_purged AFTER DELETE ON incident
    FOR EACH ROW WHEN (OLD.deleted_date IS NULL) EXECUTE FUNCTION incident_count_incident();
CREATE TRIGGER incident_count_changed
    AFTER UPDATE OF status, severity, kind, assigned_to, restricted, deleted_date ON incident
    FOR EACH ROW WHEN ((OLD.status, OLD.severity, OLD.kind, OLD.assigned_to, OLD.restricted, OLD.deleted_date IS NULL)
        IS DISTINCT FROM (NEW.status, NEW.severity, NEW.kind, NEW.assigned_to, NEW.restricted, NEW.deleted_date IS NULL))
    EXECUTE FUNCTION incident_count_incident();
CREATE TRIGGER incident_count_tagged AFTER INSERT ON incident_tag
    FOR EACH ROW WHEN (NEW.seq_to IS NULL) EXECUTE FUNCTION incident_count_tag();
CREATE TRIGGER incident_count_untagged AFTER UPDATE OF seq_to ON incident_tag
    FOR EACH ROW WHEN (OLD.seq_to IS NULL AND NEW.seq_to IS NOT NULL) EXECUTE FUNCTION incident_count_tag();
CREATE TRIGGER incident_count_tag_purged AFTER DELETE ON incident_tag
    FOR EACH ROW WHEN (OLD.seq_to IS NULL) EXECUTE FUNCTION incident_count_tag();

-- On both:

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
    (organization, CAST(CASE severity WHEN 'low' THEN 1 WHEN 'medium' THEN 2 WHEN 'high' THEN 3 WHEN 'critical' THEN 4 END AS BIGINT), number) INCLUDE (status, severity, kind, assigned_to, restricted, detected_date, updated_date)
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
