-- The tenants. An organization's head is made with it; see the db crate.

CREATE TABLE organization (
    id           uuid        NOT NULL,
    name         text        NOT NULL,
    created_date timestamptz NOT NULL,
    version      bigint      NOT NULL,
    CONSTRAINT organization_pkey PRIMARY KEY (id)
);
