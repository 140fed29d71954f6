-- Open invitations; one that was accepted or withdrawn is told by the journal only.

CREATE TABLE invitation (
    organization    BLOB    NOT NULL,
    id              BLOB    NOT NULL,
    name            TEXT    NOT NULL,
    email           TEXT    NOT NULL,
    email_folded    TEXT    NOT NULL,
    role            TEXT    NOT NULL,
    token_hash      BLOB    NOT NULL,
    invited_by_kind TEXT    NOT NULL,
    invited_by_id   TEXT    NOT NULL,
    created_date    INTEGER NOT NULL,
    expires_date    INTEGER NOT NULL,
    CONSTRAINT invitation_pkey PRIMARY KEY (organization, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX invitation_by_token ON invitation (token_hash);

CREATE UNIQUE INDEX invitation_by_email ON invitation (organization, email_folded);
