-- Writes that continue a request which was made in several: undoing it takes back what all of them did. Kept for as long as
-- a request can be undone.

CREATE TABLE continued_request (
    organization BLOB    NOT NULL,
    seq          INTEGER NOT NULL, -- the first journal entry of the write
    after_seq    INTEGER NOT NULL, -- the last one before the request
    created_date INTEGER NOT NULL,
    CONSTRAINT continued_request_pkey PRIMARY KEY (organization, seq)
) STRICT, WITHOUT ROWID;

-- By this, old ones are found to be deleted.
CREATE INDEX continued_request_by_age ON continued_request (created_date);
