-- The tables of the database layer itself.

CREATE TABLE organization_head (
    organization BLOB    NOT NULL,
    seq          INTEGER NOT NULL,
    hash         BLOB    NOT NULL,
    last_at      INTEGER,
    counters     TEXT    NOT NULL,
    CONSTRAINT organization_head_pkey PRIMARY KEY (organization)
) STRICT, WITHOUT ROWID;

CREATE TABLE write_lane (
    lane  BLOB    NOT NULL,
    batch BLOB    NOT NULL,
    at    INTEGER NOT NULL,
    CONSTRAINT write_lane_pkey PRIMARY KEY (lane)
) STRICT, WITHOUT ROWID;

-- The instance's own chain.
INSERT INTO organization_head (organization, seq, hash, last_at, counters)
VALUES (zeroblob(16), 0, zeroblob(32), NULL, '0 0 0 0 0 0 0 0');
