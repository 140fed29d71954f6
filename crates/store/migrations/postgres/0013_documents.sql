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
    options       text,                      -- JSON: options are always read and written with their item
    max_length    bigint,
    multiline     boolean,
    value         text,                      -- the published one
    CONSTRAINT document_item_pkey PRIMARY KEY (organization, document, position)
);

CREATE UNIQUE INDEX document_item_id ON document_item (organization, document, id);
