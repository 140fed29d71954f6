-- Writes that continue a request which was made in several: undoing it takes back what all of them did. Kept for as long as
-- a request can be undone.

CREATE TABLE continued_request (
    organization uuid        NOT NULL,
    seq          bigint      NOT NULL, -- the first journal entry of the write
    after_seq    bigint      NOT NULL, -- the last one before the request
    created_date timestamptz NOT NULL,
    CONSTRAINT continued_request_pkey PRIMARY KEY (organization, seq)
);

-- By this, old ones are found to be deleted.
CREATE INDEX continued_request_by_age ON continued_request (created_date);
