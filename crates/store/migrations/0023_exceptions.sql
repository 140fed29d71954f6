-- Exceptions to documents, from the request on. A row is the present state, and the history has the earlier ones.

CREATE TABLE policy_exception (
    organization        UUID        NOT NULL,
    number              BIGINT      NOT NULL,
    document            TEXT        NOT NULL,
    state               TEXT        NOT NULL, -- what follows from the day or from archiving the document is not in it
    reason              TEXT        NOT NULL,
    until               TEXT        NOT NULL, -- the last day, such as 2026-03-31
    requested_by_kind   TEXT        NOT NULL,
    requested_by_id     TEXT        NOT NULL,
    requested_date      TIMESTAMPTZ NOT NULL,
    four_eyes_waived    TEXT,
    decided_by_kind     TEXT,
    decided_by_id       TEXT,
    decided_date        TIMESTAMPTZ,
    on_behalf_of        UUID,
    note                TEXT,
    board               TEXT,
    board_date          TEXT,
    minutes             TEXT,
    confirmed_by_kind   TEXT,
    confirmed_by_id     TEXT,
    confirmed_on_behalf_of UUID,
    confirmed_date      TIMESTAMPTZ,
    end_reason          TEXT,
    ended_by_kind       TEXT,
    ended_by_id         TEXT,
    ended_date          TIMESTAMPTZ,
    updated_date        TIMESTAMPTZ NOT NULL,
    version             BIGINT      NOT NULL,
    seq                 BIGINT      NOT NULL, -- the entry that made it
    seq_from            BIGINT      NOT NULL, -- the entry of its latest change
    title               TEXT        NOT NULL,
    plan                TEXT        NOT NULL,
    node_id             TEXT, -- the item that it is about
    risk                BIGINT,
    replaces            BIGINT,
    document_version    BIGINT      NOT NULL,
    printed_sha256      TEXT, -- of what the document prints for the item
    stale_by            BIGINT, -- a version of the document
    CONSTRAINT policy_exception_pkey PRIMARY KEY (organization, number)
);

CREATE HISTORY OF policy_exception;

CREATE INDEX policy_exception_document ON policy_exception (organization, document, number);

CREATE INDEX policy_exception_risk ON policy_exception (organization, risk, number);

-- What ends first comes first.
CREATE INDEX policy_exception_until ON policy_exception (organization, until, seq);
