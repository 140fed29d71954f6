-- The entity tag of a kept answer, so that a repetition carries it too.

ALTER TABLE idempotency_key ADD COLUMN etag TEXT;
