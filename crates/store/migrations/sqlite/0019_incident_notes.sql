-- What people write about an incident: entries of its timeline, and comments. A row is the present state, and the history has
-- the earlier ones. A deleted one stays, so that it can be restored. A column that most of them do not use is NULL in them,
-- and in no entry of the journal.

CREATE TABLE incident_entry (
    organization   BLOB    NOT NULL,
    incident       INTEGER NOT NULL,
    number         INTEGER NOT NULL, -- counts the incident's entries
    text           TEXT    NOT NULL,
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
    kind           TEXT    NOT NULL,
    at             INTEGER NOT NULL, -- the time that it speaks of
    pinned         INTEGER,          -- NULL is false
    CONSTRAINT incident_entry_pkey PRIMARY KEY (organization, incident, number)
) STRICT;

CREATE TABLE incident_entry_history (
    organization   BLOB    NOT NULL,
    incident       INTEGER NOT NULL,
    number         INTEGER NOT NULL,
    text           TEXT    NOT NULL,
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
    kind           TEXT    NOT NULL,
    at             INTEGER NOT NULL,
    pinned         INTEGER,
    seq_to         INTEGER NOT NULL,
    CONSTRAINT incident_entry_history_pkey PRIMARY KEY (organization, incident, number, seq_from)
) STRICT;

CREATE INDEX incident_entry_by_time ON incident_entry (organization, incident, at, number);

CREATE TABLE incident_comment (
    organization   BLOB    NOT NULL,
    incident       INTEGER NOT NULL,
    number         INTEGER NOT NULL, -- counts the incident's comments
    text           TEXT    NOT NULL,
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
    mentions       TEXT,             -- ids of people, with a space between them
    CONSTRAINT incident_comment_pkey PRIMARY KEY (organization, incident, number)
) STRICT;

CREATE TABLE incident_comment_history (
    organization   BLOB    NOT NULL,
    incident       INTEGER NOT NULL,
    number         INTEGER NOT NULL,
    text           TEXT    NOT NULL,
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
    mentions       TEXT,
    seq_to         INTEGER NOT NULL,
    CONSTRAINT incident_comment_history_pkey PRIMARY KEY (organization, incident, number, seq_from)
) STRICT;
