-- Documents with their items, and the proposals that change them.
-- An item's options are JSON: they are always read and written with their item. Its `value` is the published one.

CREATE TABLE document (
    organization      uuid             NOT NULL,
    slug              text COLLATE "C" NOT NULL,
    title             text             NOT NULL,
    description       text             NOT NULL,
    owner             uuid,
    status            text             NOT NULL,
    published_version bigint,
    created_date      timestamptz      NOT NULL,
    updated_date      timestamptz      NOT NULL,
    version           bigint           NOT NULL,
    CONSTRAINT document_pkey PRIMARY KEY (organization, slug)
);

CREATE TABLE document_item (
    organization  uuid             NOT NULL,
    document      text COLLATE "C" NOT NULL,
    position      bigint           NOT NULL,
    id            text COLLATE "C" NOT NULL,
    kind          text             NOT NULL,
    label         text             NOT NULL,
    guidance      text,
    required      boolean          NOT NULL,
    default_value text,
    options       text,
    max_length    bigint,
    multiline     boolean,
    value         text,
    CONSTRAINT document_item_pkey PRIMARY KEY (organization, document, position)
);

CREATE UNIQUE INDEX document_item_id ON document_item (organization, document, id);

CREATE TABLE proposal (
    organization uuid             NOT NULL,
    number       bigint           NOT NULL,
    document     text COLLATE "C" NOT NULL,
    status       text             NOT NULL,
    created_date timestamptz      NOT NULL,
    updated_date timestamptz      NOT NULL,
    CONSTRAINT proposal_pkey PRIMARY KEY (organization, number)
);

-- A document has one proposal at a time.
CREATE UNIQUE INDEX proposal_open ON proposal (organization, document) WHERE status IN ('open', 'submitted');

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
    previous     text,
    set_date     timestamptz      NOT NULL,
    CONSTRAINT change_set_edit_pkey PRIMARY KEY (organization, change_set, item)
);
