-- The tables of the database layer itself.

CREATE TABLE organization_head (
    organization uuid        NOT NULL,
    seq          bigint      NOT NULL,
    hash         bytea       NOT NULL,
    last_at      timestamptz,
    counters     text        NOT NULL,
    CONSTRAINT organization_head_pkey PRIMARY KEY (organization)
) WITH (fillfactor = 50);

CREATE TABLE write_lane (
    lane  uuid        NOT NULL,
    batch uuid        NOT NULL,
    at    timestamptz NOT NULL,
    CONSTRAINT write_lane_pkey PRIMARY KEY (lane)
) WITH (fillfactor = 50);

-- The instance's own chain.
INSERT INTO organization_head (organization, seq, hash, last_at, counters)
VALUES ('00000000-0000-0000-0000-000000000000', 0, decode(repeat('00', 32), 'hex'), NULL, '0 0 0 0 0 0 0 0');
