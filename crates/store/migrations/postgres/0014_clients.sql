-- What tokens remember of a secret. It changes when the client is disabled, which ends whatever grew out of
-- the old one for good, while the secret keeps its name. Null is the secret's own id.
ALTER TABLE client_secret ADD COLUMN credential_id uuid;

CREATE INDEX client_by_age ON client (organization, created_date, id);
