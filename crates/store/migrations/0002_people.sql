-- A person is the same in every organization; the name and the roles belong to the membership.

CREATE TABLE person (
    id               UUID        NOT NULL,
    email            TEXT        NOT NULL, -- as it was typed
    email_folded     TEXT        NOT NULL, -- the form in which two addresses are the same person's
    password_hash    TEXT, -- none until an invitation was accepted
    password_version BIGINT      NOT NULL, -- counts the passwords; a session belongs to one of them
    created_date     TIMESTAMPTZ NOT NULL,
    operator_date    TIMESTAMPTZ, -- when they became an operator of the service; none: they are not
    CONSTRAINT person_pkey PRIMARY KEY (id)
) WITHOUT ROWID;

CREATE UNIQUE INDEX person_email ON person (email_folded);

CREATE TABLE membership (
    organization   UUID        NOT NULL,
    person         UUID        NOT NULL,
    actor_id       TEXT        NOT NULL, -- `person` as text, as the journal has it: both engines join by that
    name           TEXT        NOT NULL,
    job_title      TEXT,
    roles          TEXT        NOT NULL, -- one or more, with a space between them
    activated_date TIMESTAMPTZ, -- an invitation to this organization was accepted: may sign in to it
    created_date   TIMESTAMPTZ NOT NULL,
    removed_date   TIMESTAMPTZ, -- the row stays, so that the name can be shown where it is referenced
    deputy         UUID, -- another member, who approves documents in this one's place
    deputy_until   TEXT, -- the last day of that
    updated_date   TIMESTAMPTZ NOT NULL, -- when this state began
    version        BIGINT      NOT NULL,
    seq_from       BIGINT      NOT NULL, -- the journal's number of the latest change
    CONSTRAINT membership_pkey PRIMARY KEY (organization, person)
) WITHOUT ROWID;

-- Who was a member when, and with which roles.
CREATE HISTORY OF membership;

CREATE UNIQUE INDEX membership_actor ON membership (organization, actor_id);

-- The order of the list of members.
CREATE INDEX membership_by_name ON membership (organization, name, person);

-- Who signs in without naming an organization is looked up by the person.
CREATE INDEX membership_by_person ON membership (person);

-- Counters of refused sign-ins. When its hour is over, each becomes an entry of the instance's journal.

CREATE TABLE refused_sign_in (
    hour          TIMESTAMPTZ NOT NULL, -- when it began, in UTC
    person        UUID        NOT NULL, -- the nil UUID for unknown addresses, which get no entry
    refused_count BIGINT      NOT NULL,
    CONSTRAINT refused_sign_in_pkey PRIMARY KEY (hour, person)
) WITHOUT ROWID;

-- The sessions of people who signed in. One lives as long as the membership is active and the password is the one
-- that it began with.
-- A session of the console opens every organization of its person, and belongs to the instance.

CREATE TABLE session (
    organization     UUID        NOT NULL,
    id               UUID        NOT NULL,
    person           UUID        NOT NULL,
    token_hash       BYTEA       NOT NULL, -- SHA-256 of the token, which is stored nowhere
    password_version BIGINT      NOT NULL,
    created_date     TIMESTAMPTZ NOT NULL,
    last_used_date   TIMESTAMPTZ NOT NULL, -- to within two minutes
    expires_date     TIMESTAMPTZ NOT NULL,
    device           TEXT, -- the browser of a session of the console, as it names itself
    CONSTRAINT session_pkey PRIMARY KEY (organization, id)
) WITHOUT ROWID;

CREATE UNIQUE INDEX session_by_token ON session (token_hash);

CREATE INDEX session_by_person ON session (organization, person);

-- By these two, sessions that have ended are found to be deleted.
CREATE INDEX session_by_expiry ON session (expires_date);

CREATE INDEX session_by_use ON session (last_used_date);

-- Open invitations. Only the journal tells of one that was accepted or withdrawn.

CREATE TABLE invitation (
    organization    UUID        NOT NULL,
    id              UUID        NOT NULL,
    name            TEXT        NOT NULL,
    email           TEXT        NOT NULL,
    email_folded    TEXT        NOT NULL,
    job_title       TEXT,
    roles           TEXT        NOT NULL, -- as in membership
    token_hash      BYTEA       NOT NULL, -- SHA-256 of the token in the link
    invited_by_kind TEXT        NOT NULL,
    invited_by_id   TEXT        NOT NULL,
    created_date    TIMESTAMPTZ NOT NULL,
    expires_date    TIMESTAMPTZ NOT NULL,
    CONSTRAINT invitation_pkey PRIMARY KEY (organization, id)
) WITHOUT ROWID;

CREATE UNIQUE INDEX invitation_by_token ON invitation (token_hash);

-- An address has one open invitation to an organization.
CREATE UNIQUE INDEX invitation_by_email ON invitation (organization, email_folded);

-- By this, expired ones are found to be deleted.
CREATE INDEX invitation_by_expiry ON invitation (expires_date);

-- Open reset links, with which members choose another password. Only the journal tells of one that was used or withdrawn.

CREATE TABLE reset_link (
    organization     UUID        NOT NULL,
    id               UUID        NOT NULL,
    person           UUID        NOT NULL,
    password_version BIGINT      NOT NULL, -- which of the person's passwords it replaces: it does not replace a later one
    token_hash       BYTEA       NOT NULL, -- SHA-256 of the token in the link
    created_by_kind  TEXT        NOT NULL,
    created_by_id    TEXT        NOT NULL,
    created_date     TIMESTAMPTZ NOT NULL,
    expires_date     TIMESTAMPTZ NOT NULL,
    CONSTRAINT reset_link_pkey PRIMARY KEY (organization, id)
) WITHOUT ROWID;

CREATE UNIQUE INDEX reset_link_by_token ON reset_link (token_hash);

-- A member has one open link in an organization.
CREATE UNIQUE INDEX reset_link_by_person ON reset_link (organization, person);

-- By this, expired ones are found to be deleted.
CREATE INDEX reset_link_by_expiry ON reset_link (expires_date);
