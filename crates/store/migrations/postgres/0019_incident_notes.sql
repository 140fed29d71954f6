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
