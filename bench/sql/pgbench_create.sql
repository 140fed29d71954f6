-- One incident in one transaction, as the service writes it, with the journal's hashes made by the server. Each
-- client writes in two organizations of its own. Savepoint and lane's mark are left out: a single write needs none.
\set n :client_id * 2 + random(0, 1) + 10
BEGIN;
SELECT organization AS organization, seq + 1 AS seq, hash AS prev_hash,
       greatest(clock_timestamp(), last_at + interval '1 microsecond') AS at,
       split_part(counters, ' ', 1)::bigint + 1 AS number, uuid_send(gen_random_uuid()) AS salt
FROM organization_head
WHERE organization = ('00000000-0000-4000-8000-0000000000' || :n::text)::uuid FOR UPDATE
\gset
INSERT INTO journal_entry (organization, seq, at, actor_kind, actor_id, request_id, kind,
    subject_kind, subject_id, payload, salt, payload_hash, prev_hash, hash)
VALUES (:organization::uuid, :seq::bigint, :at::timestamptz, 'client', 'bench', 'bench', 'incident.created',
    'incident', bench_id(:number::bigint), :payload::text, :salt::bytea,
    sha256(:salt::bytea || convert_to(:payload::text, 'UTF8')), :prev_hash::bytea,
    sha256(:prev_hash::bytea || bench_header(:seq::bigint, :at::timestamptz, bench_id(:number::bigint))
        || sha256(:salt::bytea || convert_to(:payload::text, 'UTF8'))))
RETURNING hash
\gset
INSERT INTO incident (organization, number, title, description, status, severity_reasoning, source,
    assigned_to, opened_by_kind, opened_by_id, occurred_date, detected_date, responded_date,
    contained_date, created_date, updated_date, deleted_date, version, seq_from)
VALUES (:organization::uuid, :number::bigint, :title::text, :description::text, 'new', NULL, :source::text,
    NULL, 'client', 'bench', :occurred::timestamptz, :detected::timestamptz, NULL,
    NULL, :at::timestamptz, :at::timestamptz, NULL, 1, :seq::bigint);
UPDATE organization_head SET seq = :seq::bigint, hash = :hash::bytea, last_at = :at::timestamptz,
    counters = :number::text || ' 0 0 0 0 0 0 0'
WHERE organization = :organization::uuid;
COMMIT;
