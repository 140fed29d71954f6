-- The mark of a database that `serve --demo` made, at most one row. It is set before anything else, and names the
-- organization and its visitors' client once that is filled. Not journaled: it is about the database, not about the
-- register.

CREATE TABLE demo_mark (
    id           BIGINT NOT NULL,
    organization UUID,
    client       TEXT,
    CONSTRAINT demo_mark_pkey PRIMARY KEY (id),
    CONSTRAINT demo_mark_single CHECK (id = 1)
) WITHOUT ROWID;
