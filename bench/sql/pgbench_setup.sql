-- What the journal hashes before the payload's hash (docs/journal.md), in functions: pgbench would take the colons
-- for its variables.

CREATE FUNCTION bench_field(field text) RETURNS bytea IMMUTABLE LANGUAGE sql AS
$$ SELECT int4send(octet_length(field)) || convert_to(field, 'UTF8') $$;

CREATE FUNCTION bench_id(number bigint) RETURNS text IMMUTABLE LANGUAGE sql AS
$$ SELECT 'INC-' || lpad(number::text, greatest(4, length(number::text)), '0') $$;

CREATE FUNCTION bench_header(seq bigint, at timestamptz, subject text) RETURNS bytea STABLE LANGUAGE sql AS
$$ SELECT bench_field('bailiwick-journal-1') || bench_field(seq::text)
       || bench_field(to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
       || bench_field('client') || bench_field('bench') || bench_field('bench')
       || bench_field('incident.created') || bench_field('incident') || bench_field(subject) $$;
