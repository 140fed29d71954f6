-- The tenants. An organization's head is made with it; see the db crate.

CREATE TABLE organization (
    id           BLOB    NOT NULL,
    name         TEXT    NOT NULL,
    created_date INTEGER NOT NULL,
    version      INTEGER NOT NULL,
    CONSTRAINT organization_pkey PRIMARY KEY (id)
) STRICT, WITHOUT ROWID;
