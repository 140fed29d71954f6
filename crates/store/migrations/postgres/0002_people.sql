-- A person is the same in every organization; the name and the role belong to the membership.
-- `actor_id` is the person's id as the journal and `opened_by` have it: text, which both engines join by.

CREATE TABLE person (
    id           uuid             NOT NULL,
    email        text             NOT NULL,
    email_folded text COLLATE "C" NOT NULL,
    created_date timestamptz      NOT NULL,
    CONSTRAINT person_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX person_email ON person (email_folded);

CREATE TABLE membership (
    organization uuid             NOT NULL,
    person       uuid             NOT NULL,
    actor_id     text COLLATE "C" NOT NULL,
    name         text COLLATE "C" NOT NULL,
    role         text             NOT NULL,
    created_date timestamptz      NOT NULL,
    removed_date timestamptz,
    version      bigint           NOT NULL,
    CONSTRAINT membership_pkey PRIMARY KEY (organization, person)
);

CREATE UNIQUE INDEX membership_actor ON membership (organization, actor_id);

CREATE INDEX membership_by_name ON membership (organization, name, person);
