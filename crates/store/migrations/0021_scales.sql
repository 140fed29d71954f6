-- The versions of the scale by which an organization rates its risks. Rows are never changed. Version 1 is the default, which
-- has no row.

CREATE TABLE scale (
    organization    UUID        NOT NULL,
    number          BIGINT      NOT NULL, -- counts the organization's versions
    generation      BIGINT      NOT NULL, -- counts the changes after which ratings cannot be compared with those before
    reason          TEXT        NOT NULL,
    content         TEXT        NOT NULL, -- JSON: the levels, the bands, and which rating is in which band
    created_by_kind TEXT        NOT NULL,
    created_by_id   TEXT        NOT NULL,
    created_date    TIMESTAMPTZ NOT NULL,
    seq_from        BIGINT      NOT NULL, -- the entry that made it
    CONSTRAINT scale_pkey PRIMARY KEY (organization, number)
) WITHOUT ROWID;
