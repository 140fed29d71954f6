-- The tenants. An organization's head, with its counters, is a row of the db crate's `organization_head`.

CREATE TABLE organization (
    id           uuid        NOT NULL,
    name         text        NOT NULL,
    slug         text        COLLATE "C" NOT NULL, -- what names it in the addresses of the console
    former_slugs text, -- those it had before, with a space between them
    trash_days   bigint      NOT NULL, -- after so many days a deleted record is purged; 0 is never
    created_date timestamptz NOT NULL,
    version      bigint      NOT NULL,
    CONSTRAINT organization_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX organization_by_slug ON organization (slug);
