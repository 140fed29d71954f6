-- What people write about an incident. A row is the present state, and the history has the earlier ones. A deleted note stays,
-- so that it can be restored. A column that most notes do not use is NULL in them, and in no entry of the journal. The text is
-- the last column: SQLite reads a long row from its beginning up to the last column that it needs.

CREATE TABLE incident_note (
    organization   BLOB    NOT NULL,
    incident       INTEGER NOT NULL,
    number         INTEGER NOT NULL, -- counts the incident's notes
    kind           TEXT    NOT NULL,
    at             INTEGER NOT NULL, -- the time that it speaks of; of a comment when it was written
    pinned         INTEGER,          -- NULL is false
    mentions       TEXT,             -- ids of people, with a space between them
    author_kind    TEXT    NOT NULL,
    author_id      TEXT    NOT NULL,
    created_date   INTEGER NOT NULL,
    edit_count     INTEGER,          -- NULL is 0
    edited_date    INTEGER,
    edited_by_kind TEXT,
    edited_by_id   TEXT,
    updated_date   INTEGER NOT NULL,
    deleted_date   INTEGER,
    version        INTEGER NOT NULL,
    seq            INTEGER NOT NULL, -- the entry that made it
    seq_from       INTEGER NOT NULL, -- the entry of its latest change
    text           TEXT    NOT NULL,
    CONSTRAINT incident_note_pkey PRIMARY KEY (organization, incident, number)
) STRICT;

CREATE INDEX incident_note_at ON incident_note (organization, incident, at, number);

CREATE TABLE incident_note_history (
    organization   BLOB    NOT NULL,
    incident       INTEGER NOT NULL,
    number         INTEGER NOT NULL,
    kind           TEXT    NOT NULL,
    at             INTEGER NOT NULL,
    pinned         INTEGER,
    mentions       TEXT,
    author_kind    TEXT    NOT NULL,
    author_id      TEXT    NOT NULL,
    created_date   INTEGER NOT NULL,
    edit_count     INTEGER,
    edited_date    INTEGER,
    edited_by_kind TEXT,
    edited_by_id   TEXT,
    updated_date   INTEGER NOT NULL,
    deleted_date   INTEGER,
    version        INTEGER NOT NULL,
    seq            INTEGER NOT NULL,
    seq_from       INTEGER NOT NULL,
    seq_to         INTEGER NOT NULL,
    text           TEXT    NOT NULL,
    CONSTRAINT incident_note_history_pkey PRIMARY KEY (organization, incident, number, seq_from)
) STRICT;

-- How many notes about an incident are not deleted, and the bytes of their texts. Triggers keep both, so that every change does.
-- `bailiwick journal verify` compares them with the notes.

CREATE TABLE incident_note_total (
    organization BLOB    NOT NULL,
    incident     INTEGER NOT NULL,
    notes        INTEGER NOT NULL,
    bytes        INTEGER NOT NULL,
    CONSTRAINT incident_note_total_pkey PRIMARY KEY (organization, incident)
) STRICT, WITHOUT ROWID;

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
