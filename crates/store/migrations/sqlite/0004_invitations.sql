-- Open invitations. Only the journal tells of one that was accepted or withdrawn.

CREATE TABLE invitation (
    organization    BLOB    NOT NULL,
    id              BLOB    NOT NULL,
    name            TEXT    NOT NULL,
    email           TEXT    NOT NULL,
    email_folded    TEXT    NOT NULL,
    role            TEXT    NOT NULL,
    token_hash      BLOB    NOT NULL, -- SHA-256 of the token in the link
    invited_by_kind TEXT    NOT NULL,
    invited_by_id   TEXT    NOT NULL,
    created_date    INTEGER NOT NULL,
    expires_date    INTEGER NOT NULL,
    CONSTRAINT invitation_pkey PRIMARY KEY (organization, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX invitation_by_token ON invitation (token_hash);

-- An address has one open invitation to an organization.
CREATE UNIQUE INDEX invitation_by_email ON invitation (organization, email_folded);

-- By this, expired ones are found to be deleted.
CREATE INDEX invitation_by_expiry ON invitation (expires_date);
