-- What people write about an incident: entries of its timeline, and comments. A row is the present state, and the history has
-- the earlier ones. A deleted one stays, so that it can be restored. A column that most of them do not use is NULL in them,
-- and in no entry of the journal.

CREATE TABLE incident_entry (
    organization   uuid        NOT NULL,
    incident       bigint      NOT NULL,
    number         bigint      NOT NULL, -- counts the incident's entries
    text           text        NOT NULL,
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
    kind           text        NOT NULL,
    at             timestamptz NOT NULL, -- the time that it speaks of
    pinned         boolean,              -- NULL is false
    CONSTRAINT incident_entry_pkey PRIMARY KEY (organization, incident, number)
);

CREATE TABLE incident_entry_history (
    organization   uuid        NOT NULL,
    incident       bigint      NOT NULL,
    number         bigint      NOT NULL,
    text           text        NOT NULL,
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
    kind           text        NOT NULL,
    at             timestamptz NOT NULL,
    pinned         boolean,
    seq_to         bigint      NOT NULL,
    CONSTRAINT incident_entry_history_pkey PRIMARY KEY (organization, incident, number, seq_from)
);

CREATE INDEX incident_entry_by_time ON incident_entry (organization, incident, at, number);

CREATE TABLE incident_comment (
    organization   uuid        NOT NULL,
    incident       bigint      NOT NULL,
    number         bigint      NOT NULL, -- counts the incident's comments
    text           text        NOT NULL,
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
    mentions       text,                 -- ids of people, with a space between them
    CONSTRAINT incident_comment_pkey PRIMARY KEY (organization, incident, number)
);

CREATE TABLE incident_comment_history (
    organization   uuid        NOT NULL,
    incident       bigint      NOT NULL,
    number         bigint      NOT NULL,
    text           text        NOT NULL,
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
    mentions       text,
    seq_to         bigint      NOT NULL,
    CONSTRAINT incident_comment_history_pkey PRIMARY KEY (organization, incident, number, seq_from)
);
