-- The journal of every organization, and of the instance under the nil UUID; see docs/journal.md.

CREATE TABLE journal_entry (
    organization BLOB    NOT NULL,
    seq          INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    actor_kind   TEXT    NOT NULL,
    actor_id     TEXT    NOT NULL,
    request_id   TEXT    NOT NULL,
    kind         TEXT    NOT NULL,
    subject_kind TEXT    NOT NULL,
    subject_id   TEXT    NOT NULL,
    payload      TEXT,             -- the exact text that was hashed; erasing blanks this and the salt, nothing else
    salt         BLOB,
    payload_hash BLOB    NOT NULL,
    prev_hash    BLOB    NOT NULL,
    hash         BLOB    NOT NULL,
    CONSTRAINT journal_entry_pkey PRIMARY KEY (organization, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX journal_entry_by_subject ON journal_entry (organization, subject_kind, subject_id, seq);
