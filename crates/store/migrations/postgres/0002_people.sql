-- A person is the same in every organization; the name and the role belong to the membership.

CREATE TABLE person (
    id               uuid             NOT NULL,
    email            text             NOT NULL, -- as it was typed
    email_folded     text COLLATE "C" NOT NULL, -- the form in which two addresses are the same person's
    password_hash    text,                      -- none until an invitation was accepted
    password_version bigint           NOT NULL, -- counts the passwords; a session belongs to one of them
    created_date     timestamptz      NOT NULL,
    operator_date    timestamptz,               -- when they became an operator of the service; none: they are not
    CONSTRAINT person_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX person_email ON person (email_folded);

CREATE TABLE membership (
    organization   uuid             NOT NULL,
    person         uuid             NOT NULL,
    actor_id       text COLLATE "C" NOT NULL, -- `person` as text, as the journal has it: both engines join by that
    name           text COLLATE "C" NOT NULL,
    role           text             NOT NULL,
    activated_date timestamptz,               -- an invitation to this organization was accepted: may sign in to it
    created_date   timestamptz      NOT NULL,
    removed_date   timestamptz,               -- the row stays, so that the name can be shown where it is referenced
    version        bigint           NOT NULL,
    CONSTRAINT membership_pkey PRIMARY KEY (organization, person)
);

CREATE UNIQUE INDEX membership_actor ON membership (organization, actor_id);

-- The order of the list of members.
CREATE INDEX membership_by_name ON membership (organization, name, person);

-- Who signs in without naming an organization is looked up by the person.
CREATE INDEX membership_by_person ON membership (person);

-- Counters of refused sign-ins. When its hour is over, each becomes an entry of the instance's journal.

CREATE TABLE refused_sign_in (
    hour          timestamptz NOT NULL, -- when it began, in UTC
    person        uuid        NOT NULL, -- the nil UUID for unknown addresses, which get no entry
    refused_count bigint      NOT NULL,
    CONSTRAINT refused_sign_in_pkey PRIMARY KEY (hour, person)
);
