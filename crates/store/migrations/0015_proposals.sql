-- Proposals to change a document, with one change set per caller.

CREATE TABLE proposal (
    organization UUID        NOT NULL,
    number       BIGINT      NOT NULL,
    document     TEXT        NOT NULL,
    status       TEXT        NOT NULL,
    confirms     BOOLEAN     NOT NULL, -- opened to approve the published text again
    sha256       TEXT, -- of the text that was submitted last
    summary      TEXT,
    is_material  BOOLEAN,
    material_reason TEXT,
    effective_date  TEXT,
    changes      TEXT, -- JSON: what it changes beside the values of items, from what to what
    changes_items BOOLEAN    NOT NULL, -- whether it changes the items
    reason       TEXT, -- why it was returned, rejected or withdrawn
    approval_steps   TEXT, -- JSON: those of its submission
    four_eyes_waived TEXT, -- why an admin let authors approve it
    library_sha256   TEXT, -- of the library's text that was taken into it
    library_release  BIGINT, -- of that text
    library_kept     TEXT, -- JSON: where the document kept its own words
    report       TEXT, -- JSON: what the text of a kept report was made from
    text_bytes   BIGINT      NOT NULL, -- of the values of its edits together
    created_date TIMESTAMPTZ NOT NULL,
    updated_date TIMESTAMPTZ NOT NULL,
    version      BIGINT      NOT NULL,
    CONSTRAINT proposal_pkey PRIMARY KEY (organization, number)
) WITHOUT ROWID;

-- A document has one proposal at a time.
CREATE UNIQUE INDEX proposal_open ON proposal (organization, document) WHERE status IN ('open', 'submitted');

-- The proposals of a document, also those that are closed.
CREATE INDEX proposal_by_document ON proposal (organization, document, number);

CREATE TABLE change_set (
    organization UUID        NOT NULL,
    number       BIGINT      NOT NULL,
    proposal     BIGINT      NOT NULL,
    author_kind  TEXT        NOT NULL,
    author_id    TEXT        NOT NULL,
    created_date TIMESTAMPTZ NOT NULL,
    updated_date TIMESTAMPTZ,
    fields       TEXT, -- what its author changed beside the values of items
    CONSTRAINT change_set_pkey PRIMARY KEY (organization, number)
) WITHOUT ROWID;

-- In a proposal every caller has one change set.
CREATE UNIQUE INDEX change_set_author ON change_set (organization, proposal, author_kind, author_id);

CREATE TABLE change_set_edit (
    organization UUID        NOT NULL,
    change_set   BIGINT      NOT NULL,
    item         TEXT        NOT NULL,
    kind         TEXT        NOT NULL,
    value        TEXT        NOT NULL,
    previous     TEXT, -- the value in force when it was set
    set_date     TIMESTAMPTZ NOT NULL,
    is_adopted   BOOLEAN     NOT NULL, -- chosen among the values of several change sets
    CONSTRAINT change_set_edit_pkey PRIMARY KEY (organization, change_set, item)
);

-- Approvals that were given to a proposal. Only `is_void` changes.
CREATE TABLE proposal_approval (
    organization UUID        NOT NULL,
    proposal     BIGINT      NOT NULL,
    number       BIGINT      NOT NULL, -- from 1
    steps        TEXT        NOT NULL, -- the numbers of those that it counts in, with a space between them
    by_kind      TEXT        NOT NULL,
    by_id        TEXT        NOT NULL,
    job_title    TEXT, -- of that moment
    on_behalf_of UUID, -- for whom a deputy approved
    at           TIMESTAMPTZ NOT NULL,
    sha256       TEXT        NOT NULL,
    note         TEXT,
    decided_by   TEXT, -- of a step that was recorded
    decided_date TEXT,
    minutes      TEXT,
    is_void      BOOLEAN     NOT NULL,
    CONSTRAINT proposal_approval_pkey PRIMARY KEY (organization, proposal, number)
) WITHOUT ROWID;

-- Comments on proposals, and the replies to them.
CREATE TABLE proposal_comment (
    organization     UUID        NOT NULL,
    proposal         BIGINT      NOT NULL,
    number           BIGINT      NOT NULL,
    reply_to         BIGINT,
    node_id          TEXT,
    text             TEXT        NOT NULL,
    suggested_item   TEXT,
    suggested_value  TEXT,
    author_kind      TEXT        NOT NULL,
    author_id        TEXT        NOT NULL,
    created_date     TIMESTAMPTZ NOT NULL,
    resolved_by_kind TEXT,
    resolved_by_id   TEXT,
    resolved_date    TIMESTAMPTZ,
    CONSTRAINT proposal_comment_pkey PRIMARY KEY (organization, proposal, number)
) WITHOUT ROWID;

-- The text of a proposal that a person saw last. It is for themselves, so no journal tells of it.
CREATE TABLE proposal_seen (
    organization UUID        NOT NULL,
    proposal     BIGINT      NOT NULL,
    person       UUID        NOT NULL,
    seen_date    TIMESTAMPTZ NOT NULL,
    sha256       TEXT        NOT NULL, -- of the Markdown
    markdown     TEXT        NOT NULL,
    CONSTRAINT proposal_seen_pkey PRIMARY KEY (organization, proposal, person)
);

-- What was published, as it was approved. A row never changes.
CREATE TABLE document_version (
    organization     UUID        NOT NULL,
    document         TEXT        NOT NULL,
    number           BIGINT      NOT NULL,
    proposal         BIGINT      NOT NULL,
    sha256           TEXT        NOT NULL, -- of the Markdown
    html_sha256      TEXT, -- of the HTML that it became then
    summary          TEXT,
    is_material      BOOLEAN     NOT NULL,
    material_reason  TEXT,
    effective_date   TEXT        NOT NULL,
    approved_by_kind TEXT        NOT NULL,
    approved_by_id   TEXT        NOT NULL,
    approved_date    TIMESTAMPTZ NOT NULL,
    note             TEXT,
    markdown         TEXT        NOT NULL, -- the last one, because SQLite reads a row from its start
    CONSTRAINT document_version_pkey PRIMARY KEY (organization, document, number)
);
