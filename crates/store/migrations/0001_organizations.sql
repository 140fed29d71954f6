-- The tenants. An organization's head, with its counters, is a row of the db crate's `organization_head`.

CREATE TABLE organization (
    id           UUID        NOT NULL,
    name         TEXT        NOT NULL,
    slug         TEXT        NOT NULL, -- what names it in the addresses of the console
    former_slugs TEXT, -- those it had before, with a space between them
    trash_days   BIGINT      NOT NULL, -- after so many days a deleted record is purged; 0 is never
    created_date TIMESTAMPTZ NOT NULL,
    version      BIGINT      NOT NULL,
    time_zone    TEXT, -- decides days, weeks and months; NULL is UTC
    four_eyes    BOOLEAN     NOT NULL, -- somebody else than its authors approves a proposal
    pseudonym_days BIGINT, -- after which the name of somebody who has left becomes a pseudonym; NULL is never
    pseudonym_key BYTEA, -- of those pseudonyms, and shown nowhere: made when they are first asked for
    CONSTRAINT organization_pkey PRIMARY KEY (id)
) WITHOUT ROWID;

CREATE UNIQUE INDEX organization_by_slug ON organization (slug);
