-- After how many days in the trash a deleted record is purged; 0 is never, null is the default (90).
ALTER TABLE organization ADD COLUMN trash_days bigint;

-- By these the upkeep finds what has had its time. Only deleted records are in the first two.
CREATE INDEX incident_trash ON incident (organization, deleted_date, number) WHERE deleted_date IS NOT NULL;
CREATE INDEX risk_trash ON risk (organization, deleted_date, number) WHERE deleted_date IS NOT NULL;
CREATE INDEX session_by_expiry ON session (expires_date);
CREATE INDEX session_by_use ON session (last_used_date);
CREATE INDEX invitation_by_expiry ON invitation (expires_date);
