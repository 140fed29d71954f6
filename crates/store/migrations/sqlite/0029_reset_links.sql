-- Open reset links, with which members choose another password. Only the journal tells of one that was used or withdrawn.

CREATE TABLE reset_link (
    organization     BLOB    NOT NULL,
    id               BLOB    NOT NULL,
    person           BLOB    NOT NULL,
    password_version INTEGER NOT NULL, -- which of the person's passwords it replaces: it does not replace a later one
    token_hash       BLOB    NOT NULL, -- SHA-256 of the token in the link
    created_by_kind  TEXT    NOT NULL,
    created_by_id    TEXT    NOT NULL,
    created_date     INTEGER NOT NULL,
    expires_date     INTEGER NOT NULL,
    CONSTRAINT reset_link_pkey PRIMARY KEY (organization, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX reset_link_by_token ON reset_link (token_hash);

-- A member has one open link in an organization.
CREATE UNIQUE INDEX reset_link_by_person ON reset_link (organization, person);

-- By this, expired ones are found to be deleted.
CREATE INDEX reset_link_by_expiry ON reset_link (expires_date);
