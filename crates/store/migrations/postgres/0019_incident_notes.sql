-- What people write about an incident. A row is the present state, and the history has the earlier ones. A deleted note stays,
-- so that it can be restored. A column that most notes do not use is NULL in them, and in no entry of the journal. The text is
-- the last column: SQLite reads a long row from its beginning up to the last column that it needs.

CREATE TABLE incident_note (
    organization   uuid        NOT NULL,
    incident       bigint      NOT NULL,
    number         bigint      NOT NULL, -- counts the incident's notes
    kind           text        NOT NULL,
    at             timestamptz NOT NULL, -- the time that it speaks of; of a comment when it was written
    pinned         boolean,              -- NULL is false
    mentions       text,                 -- ids of people, with a space between them
    author_kind    text        NOT NULL,
    author_id      text        NOT NULL,
    created_date   timestamptz NOT NULL,
    edit_count     bigint,               -- NULL is 0
    edited_date    timestamptz,
    edited_by_kind text,
    edited_by_id   text,
    updated_date   timestamptz NOT NULL,
    deleted_date   timestamptz,
    version        bigint      NOT NULL,
    seq            bigint      NOT NULL, -- the entry that made it
    seq_from       bigint      NOT NULL, -- the entry of its latest change
    text           text        NOT NULL,
    CONSTRAINT incident_note_pkey PRIMARY KEY (organization, incident, number)
);

CREATE INDEX incident_note_at ON incident_note (organization, incident, at, number);

CREATE TABLE incident_note_history (
    organization   uuid        NOT NULL,
    incident       bigint      NOT NULL,
    number         bigint      NOT NULL,
    kind           text        NOT NULL,
    at             timestamptz NOT NULL,
    pinned         boolean,
    mentions       text,
    author_kind    text        NOT NULL,
    author_id      text        NOT NULL,
    created_date   timestamptz NOT NULL,
    edit_count     bigint,
    edited_date    timestamptz,
    edited_by_kind text,
    edited_by_id   text,
    updated_date   timestamptz NOT NULL,
    deleted_date   timestamptz,
    version        bigint      NOT NULL,
    seq            bigint      NOT NULL,
    seq_from       bigint      NOT NULL,
    seq_to         bigint      NOT NULL,
    text           text        NOT NULL,
    CONSTRAINT incident_note_history_pkey PRIMARY KEY (organization, incident, number, seq_from)
);

-- How many notes about an incident are not deleted, and the bytes of their texts. A trigger keeps both, so that every change
-- does. `bailiwick journal verify` compares them with the notes.

CREATE TABLE incident_note_total (
    organization uuid   NOT NULL,
    incident     bigint NOT NULL,
    notes        bigint NOT NULL,
    bytes        bigint NOT NULL,
    CONSTRAINT incident_note_total_pkey PRIMARY KEY (organization, incident)
);

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
