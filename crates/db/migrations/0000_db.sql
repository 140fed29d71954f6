-- The tables of the database layer itself.

CREATE TABLE organization_head (
    organization UUID   NOT NULL,
    seq          BIGINT NOT NULL,
    hash         BYTEA  NOT NULL,
    last_at      TIMESTAMPTZ,
    counters     TEXT   NOT NULL,
    CONSTRAINT organization_head_pkey PRIMARY KEY (organization)
) WITHOUT ROWID WITH (fillfactor = 50);

CREATE TABLE write_lane (
    lane  UUID        NOT NULL,
    batch UUID        NOT NULL,
    at    TIMESTAMPTZ NOT NULL,
    CONSTRAINT write_lane_pkey PRIMARY KEY (lane)
) WITHOUT ROWID WITH (fillfactor = 50);

-- The instance's own chain.

-- On SQLite:
INSERT INTO organization_head (organization, seq, hash, last_at, counters)
VALUES (zeroblob(16), 0, zeroblob(32), NULL, '0 0 0 0 0 0 0 0');

-- On PostgreSQL:
INSERT INTO organization_head (organization, seq, hash, last_at, counters)
VALUES ('00000000-0000-0000-0000-000000000000', 0, decode(repeat('00', 32), 'hex'), NULL, '0 0 0 0 0 0 0 0');
