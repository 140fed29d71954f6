CREATE TABLE saved_view (
    organization uuid             NOT NULL,
    id           uuid             NOT NULL,
    list         text COLLATE "C" NOT NULL,
    name         text             NOT NULL,
    name_folded  text COLLATE "C" NOT NULL, -- the form in which two names are the same without regard to case
    filter       text             NOT NULL, -- a JSON object: each parameter of the list with its values
    sort         text,                      -- NULL is the list's own order
    shared       boolean          NOT NULL,
    owner_kind   text COLLATE "C" NOT NULL,
    owner_id     text COLLATE "C" NOT NULL,
    created_date timestamptz      NOT NULL,
    updated_date timestamptz      NOT NULL,
    version      bigint           NOT NULL,
    seq_from     bigint           NOT NULL, -- the journal's number of the latest change
    CONSTRAINT saved_view_pkey PRIMARY KEY (organization, id)
);

CREATE UNIQUE INDEX saved_view_name ON saved_view (organization, owner_kind, owner_id, list, name_folded);
CREATE INDEX saved_view_order ON saved_view (organization, name_folded, id);
