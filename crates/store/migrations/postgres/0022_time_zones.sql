-- The zone that decides days, weeks and months of an organization; NULL is UTC.

ALTER TABLE organization ADD COLUMN time_zone text;
