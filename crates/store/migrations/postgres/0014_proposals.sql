-- Proposals to change a document, with one change set per caller.

CREATE TABLE proposal (
    organization uuid             NOT NULL,
    number       bigint           NOT NULL,
    document     text COLLATE "C" NOT NULL,
    status       text             NOT NULL,
    text_bytes   bigint           NOT NULL, -- of the values of its edits together
    created_date timestamptz      NOT NULL,
    updated_date timestamptz      NOT NULL,
    CONSTRAINT proposal_pkey PRIMARY KEY (organization, number)
);

-- A document has one proposal at a time.
CREATE UNIQUE INDEX proposal_open ON proposal (organization, document) WHERE status IN ('open', 'submitted');

-- The proposals of a document, also those that are closed.
CREATE INDEX proposal_by_document ON proposal (organization, document, number);

CREATE TABLE change_set (
    organization uuid             NOT NULL,
    number       bigint           NOT NULL,
    proposal     bigint           NOT NULL,
    author_kind  text COLLATE "C" NOT NULL,
    author_id    text COLLATE "C" NOT NULL,
    created_date timestamptz      NOT NULL,
    updated_date timestamptz,
    CONSTRAINT change_set_pkey PRIMARY KEY (organization, number)
);

-- In a proposal every caller has one change set.
CREATE UNIQUE INDEX change_set_author ON change_set (organization, proposal, author_kind, author_id);

CREATE TABLE change_set_edit (
    organization uuid             NOT NULL,
    change_set   bigint           NOT NULL,
    item         text COLLATE "C" NOT NULL,
    kind         text             NOT NULL,
    value        text             NOT NULL,
    previous     text,                      -- the value in force when it was set
    set_date     timestamptz      NOT NULL,
    CONSTRAINT change_set_edit_pkey PRIMARY KEY (organization, change_set, item)
);
