-- The journal of every organization, and of the instance under the nil UUID; see docs/journal.md.

CREATE TABLE journal_entry (
    organization uuid             NOT NULL,
    seq          bigint           NOT NULL,
    at           timestamptz      NOT NULL,
    actor_kind   text             NOT NULL,
    actor_id     text             NOT NULL,
    request_id   text             NOT NULL,
    kind         text             NOT NULL,
    subject_kind text COLLATE "C" NOT NULL,
    subject_id   text COLLATE "C" NOT NULL,
    payload      text,  -- the exact text that was hashed; erasing blanks this and the salt, nothing else
    salt         bytea,
    payload_hash bytea            NOT NULL,
    prev_hash    bytea            NOT NULL,
    hash         bytea            NOT NULL,
    CONSTRAINT journal_entry_pkey PRIMARY KEY (organization, seq)
);

CREATE INDEX journal_entry_by_subject ON journal_entry (organization, subject_kind, subject_id, seq);
