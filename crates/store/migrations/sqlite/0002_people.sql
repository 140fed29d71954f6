-- A person is the same in every organization; the name and the role belong to the membership.
-- `actor_id` is the person's id as the journal and `opened_by` have it: text, which both engines join by.

CREATE TABLE person (
    id           BLOB    NOT NULL,
    email        TEXT    NOT NULL,
    email_folded TEXT    NOT NULL,
    created_date INTEGER NOT NULL,
    CONSTRAINT person_pkey PRIMARY KEY (id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX person_email ON person (email_folded);

CREATE TABLE membership (
    organization BLOB    NOT NULL,
    person       BLOB    NOT NULL,
    actor_id     TEXT    NOT NULL,
    name         TEXT    NOT NULL,
    role         TEXT    NOT NULL,
    created_date INTEGER NOT NULL,
    removed_date INTEGER,
    version      INTEGER NOT NULL,
    CONSTRAINT membership_pkey PRIMARY KEY (organization, person)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX membership_actor ON membership (organization, actor_id);

CREATE INDEX membership_by_name ON membership (organization, name, person);
