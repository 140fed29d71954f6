-- Groups of members.

CREATE TABLE member_group (
    organization UUID        NOT NULL,
    id           UUID        NOT NULL,
    name         TEXT        NOT NULL,
    name_folded  TEXT        NOT NULL, -- the form in which two names are the same without regard to case
    description  TEXT,
    members      BIGINT      NOT NULL, -- how many it has
    deleted_date TIMESTAMPTZ,
    created_date TIMESTAMPTZ NOT NULL,
    updated_date TIMESTAMPTZ NOT NULL,
    version      BIGINT      NOT NULL,
    seq_from     BIGINT      NOT NULL, -- the journal's number of the latest change
    CONSTRAINT member_group_pkey PRIMARY KEY (organization, id)
) WITHOUT ROWID;

CREATE UNIQUE INDEX member_group_name ON member_group (organization, name_folded) WHERE deleted_date IS NULL;

-- A member of a group, from the entry `seq_from` until before `seq_to`. Rows are never deleted.

CREATE TABLE group_member (
    organization UUID   NOT NULL,
    member_group UUID   NOT NULL,
    person       UUID   NOT NULL,
    seq_from     BIGINT NOT NULL,
    seq_to       BIGINT,
    CONSTRAINT group_member_pkey PRIMARY KEY (organization, member_group, person, seq_from)
) WITHOUT ROWID;

CREATE UNIQUE INDEX group_member_now ON group_member (organization, person, member_group) WHERE seq_to IS NULL;
