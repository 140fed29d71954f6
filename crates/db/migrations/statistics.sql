-- What SQLite is told about the tables, so that it plans every statement for a large register.
--
-- Without statistics it supposes that ten rows have the first value of a key. Most keys begin with the organization,
-- which millions of rows may have: it would pass over all of them instead of using an index by a second column. These
-- are no counts but fixed suppositions, so the same statement has the same plan in every register.

ANALYZE sqlite_schema; -- makes the table of statistics, and reads no other

DELETE FROM sqlite_stat1;

INSERT INTO sqlite_stat1 (tbl, idx, stat)
SELECT tables.name, indexes.name, '1000000 ' || (
    -- For each column of the index: how many rows have the same values up to it.
    SELECT group_concat(
        CASE WHEN indexes."unique" AND columns.seqno = last.seqno THEN 1
             WHEN first.name <> 'organization' THEN 10
             WHEN columns.seqno = 0 THEN 100000
             WHEN columns.seqno = 1 THEN 100
             ELSE 10 END, ' ' ORDER BY columns.seqno)
    FROM pragma_index_info(indexes.name) AS columns,
         (SELECT name FROM pragma_index_info(indexes.name) WHERE seqno = 0) AS first,
         (SELECT MAX(seqno) AS seqno FROM pragma_index_info(indexes.name)) AS last)
FROM sqlite_schema AS tables, pragma_index_list(tables.name) AS indexes
-- An index of some of the rows is preferred as it is.
WHERE tables.type = 'table' AND NOT indexes.partial;
