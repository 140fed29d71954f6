-- Open reset links, with which members choose another password. Only the journal tells of one that was used or withdrawn.

CREATE TABLE reset_link (
    organization     uuid        NOT NULL,
    id               uuid        NOT NULL,
    person           uuid        NOT NULL,
    password_version bigint      NOT NULL, -- which of the person's passwords it replaces: it does not replace a later one
    token_hash       bytea       NOT NULL, -- SHA-256 of the token in the link
    created_by_kind  text        NOT NULL,
    created_by_id    text        NOT NULL,
    created_date     timestamptz NOT NULL,
    expires_date     timestamptz NOT NULL,
    CONSTRAINT reset_link_pkey PRIMARY KEY (organization, id)
);

CREATE UNIQUE INDEX reset_link_by_token ON reset_link (token_hash);

-- A member has one open link in an organization.
CREATE UNIQUE INDEX reset_link_by_person ON reset_link (organization, person);

-- By this, expired ones are found to be deleted.
CREATE INDEX reset_link_by_expiry ON reset_link (expires_date);
