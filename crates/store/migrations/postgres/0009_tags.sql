CREATE TABLE tag (
    organization uuid             NOT NULL,
    id           uuid             NOT NULL,
    name         text             NOT NULL,
    name_folded  text COLLATE "C" NOT NULL, -- the form in which two names are the same without regard to case
    color        text             NOT NULL,
    description  text,
    created_date timestamptz      NOT NULL,
    updated_date timestamptz      NOT NULL,
    version      bigint           NOT NULL,
    seq_from     bigint           NOT NULL, -- the journal's number of the latest change
    CONSTRAINT tag_pkey PRIMARY KEY (organization, id)
);

CREATE UNIQUE INDEX tag_name ON tag (organization, name_folded);
