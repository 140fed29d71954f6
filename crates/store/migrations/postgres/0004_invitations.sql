-- Open invitations. Only the journal tells of one that was accepted or withdrawn.

CREATE TABLE invitation (
    organization    uuid             NOT NULL,
    id              uuid             NOT NULL,
    name            text             NOT NULL,
    email           text             NOT NULL,
    email_folded    text COLLATE "C" NOT NULL,
    role            text             NOT NULL,
    token_hash      bytea            NOT NULL, -- SHA-256 of the token in the link
    invited_by_kind text             NOT NULL,
    invited_by_id   text             NOT NULL,
    created_date    timestamptz      NOT NULL,
    expires_date    timestamptz      NOT NULL,
    CONSTRAINT invitation_pkey PRIMARY KEY (organization, id)
);

CREATE UNIQUE INDEX invitation_by_token ON invitation (token_hash);

-- An address has one open invitation to an organization.
CREATE UNIQUE INDEX invitation_by_email ON invitation (organization, email_folded);

-- By this, expired ones are found to be deleted.
CREATE INDEX invitation_by_expiry ON invitation (expires_date);
