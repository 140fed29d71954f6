-- What people write about an incident. A row is the present state, and the history has the earlier ones. A deleted note stays,
-- so that it can be restored. A column that most notes do not use is NULL in them, and in no entry of the journal. The text is
-- the last column: SQLite reads a long row from its beginning up to the last column that it needs.

CREATE TABLE incident_note (
    organization   UUID        NOT NULL,
    incident       BIGINT      NOT NULL,
    number         BIGINT      NOT NULL, -- counts the incident's notes
    kind           TEXT        NOT NULL,
    at             TIMESTAMPTZ NOT NULL, -- the time that it speaks of; of a comment when it was written
    pinned         BOOLEAN, -- NULL is false
    mentions       TEXT, -- ids of people, with a space between them
    author_kind    TEXT        NOT NULL,
    author_id      TEXT        NOT NULL,
    created_date   TIMESTAMPTZ NOT NULL,
    edit_count     BIGINT, -- NULL is 0
    edited_date    TIMESTAMPTZ,
    edited_by_kind TEXT,
    edited_by_id   TEXT,
    updated_date   TIMESTAMPTZ NOT NULL,
    deleted_date   TIMESTAMPTZ,
    version        BIGINT      NOT NULL,
    seq            BIGINT      NOT NULL, -- the entry that made it
    seq_from       BIGINT      NOT NULL, -- the entry of its latest change
    text           TEXT        NOT NULL,
    CONSTRAINT incident_note_pkey PRIMARY KEY (organization, incident, number)
);

CREATE INDEX incident_note_at ON incident_note (organization, incident, at, number);

-- The latest comments that mention people.
CREATE INDEX incident_note_mention ON incident_note (organization, created_date, seq_from) WHERE mentions IS NOT NULL;

CREATE HISTORY OF incident_note;

-- The notes that changed after an entry.
CREATE INDEX incident_note_seq ON incident_note (organization, seq_from);

-- How many notes about an incident are not deleted, and the bytes of their texts. Triggers keep both, so that every change does.
-- `bailiwick journal verify` compares them with the notes.

CREATE TABLE incident_note_total (
    organization UUID   NOT NULL,
    incident     BIGINT NOT NULL,
    notes        BIGINT NOT NULL,
    bytes        BIGINT NOT NULL,
    CONSTRAINT incident_note_total_pkey PRIMARY KEY (organization, incident)
) WITHOUT ROWID;

-- On SQLite:

CREATE TRIGGER incident_note_total_added AFTER INSERT ON incident_note WHEN NEW.deleted_date IS NULL BEGIN
    INSERT INTO incident_note_total (organization, incident, notes, bytes)
    VALUES (NEW.organization, NEW.incident, 1, octet_length(NEW.text))
    ON CONFLICT (organization, incident) DO UPDATE SET notes = notes + 1, bytes = bytes + excluded.bytes;
END;

CREATE TRIGGER incident_note_total_changed AFTER UPDATE OF text, deleted_date ON incident_note BEGIN
    UPDATE incident_note_total
    SET notes = notes + (NEW.deleted_date IS NULL) - (OLD.deleted_date IS NULL),
        bytes = bytes + (NEW.deleted_date IS NULL) * octet_length(NEW.text)
            - (OLD.deleted_date IS NULL) * octet_length(OLD.text)
    WHERE organization = NEW.organization AND incident = NEW.incident;
END;

CREATE TRIGGER incident_note_total_removed AFTER DELETE ON incident_note WHEN OLD.deleted_date IS NULL BEGIN
    UPDATE incident_note_total SET notes = notes - 1, bytes = bytes - octet_length(OLD.text)
    WHERE organization = OLD.organization AND incident = OLD.incident;
END;

-- On PostgreSQL:

CREATE FUNCTION incident_note_total_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' AND OLD.deleted_date IS NULL THEN
        UPDATE incident_note_total SET notes = notes - 1, bytes = bytes - octet_length(OLD.text)
        WHERE organization = OLD.organization AND incident = OLD.incident;
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.deleted_date IS NULL THEN
        INSERT INTO incident_note_total AS total (organization, incident, notes, bytes)
        VALUES (NEW.organization, NEW.incident, 1, octet_length(NEW.text))
        ON CONFLICT (organization, incident)
            DO UPDATE SET notes = total.notes + 1, bytes = total.bytes + excluded.bytes;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER incident_note_total_kept AFTER INSERT OR DELETE OR UPDATE OF text, deleted_date ON incident_note
    FOR EACH ROW EXECUTE FUNCTION incident_note_total_keep();
