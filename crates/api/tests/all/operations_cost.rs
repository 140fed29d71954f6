//! The database statements of every operation. A change to this table must be intended.

use testkit::TestApp;

use crate::all::operations;
use crate::all::world::World;

/// The number of statements of each operation, on both engines, and of its round trips to PostgreSQL: without an
/// Idempotency-Key and with one. BEGIN, COMMIT and SAVEPOINT do not count, since they are sent with other statements.
const COSTS: &[(&str, Cost, Cost)] = &[
    ("GET /v1/acceptances", (2, 2), (2, 2)),
    ("GET /v1/clients", (1, 1), (1, 1)),
    ("POST /v1/clients", (6, 4), (8, 5)),
    ("GET /v1/clients/{}", (1, 1), (1, 1)),
    ("PATCH /v1/clients/{}", (10, 6), (12, 7)),
    ("GET /v1/clients/{}/refusals", (2, 2), (2, 2)),
    ("POST /v1/clients/{}/secrets", (6, 4), (8, 5)),
    ("DELETE /v1/clients/{}/secrets/{}", (8, 5), (10, 6)),
    ("GET /v1/documents", (4, 4), (4, 4)),
    ("POST /v1/documents", (5, 4), (7, 5)),
    ("POST /v1/documents/bulk", (4, 3), (6, 4)),
    ("GET /v1/documents/export", (4, 4), (4, 4)),
    ("GET /v1/documents/facets", (9, 9), (9, 9)),
    ("POST /v1/documents/import", (4, 3), (6, 4)),
    ("GET /v1/documents/waivers", (4, 4), (4, 4)),
    ("DELETE /v1/documents/{}", (17, 7), (19, 8)),
    ("GET /v1/documents/{}", (3, 3), (3, 3)),
    ("PATCH /v1/documents/{}", (7, 4), (9, 5)),
    ("GET /v1/documents/{}/acknowledgement-requests", (3, 3), (3, 3)),
    ("DELETE /v1/documents/{}/acknowledgement-requests/{}", (4, 3), (6, 4)),
    ("GET /v1/documents/{}/acknowledgements", (10, 10), (10, 10)),
    ("GET /v1/documents/{}/acknowledgements/export", (11, 11), (11, 11)),
    ("GET /v1/documents/{}/acknowledgements/file", (13, 13), (13, 13)),
    ("GET /v1/documents/{}/acknowledgements/totals", (10, 10), (10, 10)),
    ("POST /v1/documents/{}/archive", (7, 6), (9, 7)),
    ("GET /v1/documents/{}/exceptions", (2, 2), (2, 2)),
    ("POST /v1/documents/{}/exceptions", (6, 5), (8, 6)),
    ("GET /v1/documents/{}/exceptions/{}", (1, 1), (1, 1)),
    ("POST /v1/documents/{}/exceptions/{}/revoke", (7, 5), (9, 6)),
    ("POST /v1/documents/{}/exceptions/{}/waive-four-eyes", (7, 5), (9, 6)),
    ("GET /v1/documents/{}/file", (2, 2), (2, 2)),
    ("GET /v1/documents/{}/links", (2, 2), (2, 2)),
    ("GET /v1/documents/{}/offer", (3, 3), (3, 3)),
    ("POST /v1/documents/{}/offer/accept", (23, 18), (25, 19)),
    ("POST /v1/documents/{}/offer/decline", (6, 5), (8, 6)),
    ("PATCH /v1/documents/{}/properties", (7, 6), (9, 7)),
    ("GET /v1/documents/{}/proposals", (2, 2), (2, 2)),
    ("POST /v1/documents/{}/proposals", (12, 11), (14, 12)),
    ("GET /v1/documents/{}/proposals/{}", (7, 7), (7, 7)),
    ("PATCH /v1/documents/{}/proposals/{}", (15, 13), (17, 14)),
    ("GET /v1/documents/{}/proposals/{}/comments", (2, 2), (2, 2)),
    ("POST /v1/documents/{}/proposals/{}/comments", (6, 5), (8, 6)),
    ("POST /v1/documents/{}/proposals/{}/comments/{}/adopt", (16, 11), (18, 12)),
    ("POST /v1/documents/{}/proposals/{}/comments/{}/resolve", (5, 4), (7, 5)),
    ("GET /v1/documents/{}/proposals/{}/difference", (7, 7), (7, 7)),
    ("GET /v1/documents/{}/proposals/{}/edits", (3, 3), (3, 3)),
    ("DELETE /v1/documents/{}/proposals/{}/edits/{}", (8, 7), (10, 8)),
    ("GET /v1/documents/{}/proposals/{}/impact", (7, 7), (7, 7)),
    ("POST /v1/documents/{}/proposals/{}/reject", (14, 13), (16, 14)),
    ("POST /v1/documents/{}/proposals/{}/replace", (14, 13), (16, 14)),
    ("POST /v1/documents/{}/proposals/{}/resolve", (13, 12), (15, 13)),
    ("POST /v1/documents/{}/proposals/{}/return", (22, 21), (24, 22)),
    ("POST /v1/documents/{}/proposals/{}/submit", (14, 13), (16, 14)),
    ("POST /v1/documents/{}/proposals/{}/waive-four-eyes", (13, 12), (15, 13)),
    ("POST /v1/documents/{}/proposals/{}/withdraw", (14, 13), (16, 14)),
    ("GET /v1/documents/{}/provenance", (8, 8), (8, 8)),
    ("POST /v1/documents/{}/restore", (6, 5), (8, 6)),
    ("GET /v1/documents/{}/reviews", (2, 2), (2, 2)),
    ("POST /v1/documents/{}/reviews", (7, 5), (9, 6)),
    ("GET /v1/documents/{}/tags", (2, 2), (2, 2)),
    ("POST /v1/documents/{}/tags", (5, 4), (7, 5)),
    ("DELETE /v1/documents/{}/tags/{}", (5, 4), (7, 5)),
    ("PUT /v1/documents/{}/tags/{}", (5, 4), (7, 5)),
    ("GET /v1/documents/{}/text", (1, 1), (1, 1)),
    ("GET /v1/documents/{}/versions", (4, 4), (4, 4)),
    ("GET /v1/documents/{}/versions/{}", (3, 3), (3, 3)),
    ("POST /v1/documents/{}/versions/{}/acknowledgement-requests", (5, 4), (7, 5)),
    ("POST /v1/documents/{}/versions/{}/acknowledgements", (5, 4), (7, 5)),
    ("GET /v1/documents/{}/versions/{}/difference", (2, 2), (2, 2)),
    ("POST /v1/evaluations", (9, 6), (11, 7)),
    ("GET /v1/evaluations/export", (4, 4), (4, 4)),
    ("GET /v1/exceptions", (1, 1), (1, 1)),
    ("GET /v1/groups", (1, 1), (1, 1)),
    ("POST /v1/groups", (3, 3), (5, 4)),
    ("DELETE /v1/groups/{}", (6, 4), (8, 5)),
    ("GET /v1/groups/{}", (1, 1), (1, 1)),
    ("PATCH /v1/groups/{}", (5, 4), (7, 5)),
    ("DELETE /v1/groups/{}/members/{}", (6, 4), (8, 5)),
    ("PUT /v1/groups/{}/members/{}", (7, 5), (9, 6)),
    ("GET /v1/imports", (1, 1), (1, 1)),
    ("POST /v1/imports", (8, 6), (10, 7)),
    ("DELETE /v1/imports/{}", (5, 3), (7, 4)),
    ("GET /v1/imports/{}", (1, 1), (1, 1)),
    ("PATCH /v1/imports/{}", (10, 9), (13, 11)),
    ("GET /v1/imports/{}/rows", (2, 2), (2, 2)),
    ("POST /v1/imports/{}/run", (19, 14), (22, 16)),
    ("DELETE /v1/incidents", (7, 3), (9, 4)),
    ("GET /v1/incidents", (2, 2), (2, 2)),
    ("POST /v1/incidents", (4, 3), (6, 4)),
    ("POST /v1/incidents/bulk", (5, 3), (7, 4)),
    ("POST /v1/incidents/bulk-delete", (7, 3), (9, 4)),
    ("GET /v1/incidents/export", (4, 4), (4, 4)),
    ("GET /v1/incidents/facets", (3, 3), (3, 3)),
    ("GET /v1/incidents/metrics", (3, 3), (3, 3)),
    ("POST /v1/incidents/restore", (6, 4), (8, 5)),
    ("GET /v1/incidents/{}", (2, 2), (2, 2)),
    ("PATCH /v1/incidents/{}", (7, 5), (9, 6)),
    ("GET /v1/incidents/{}/links", (2, 2), (2, 2)),
    ("POST /v1/incidents/{}/links", (7, 6), (9, 7)),
    ("DELETE /v1/incidents/{}/links/{}", (7, 5), (9, 6)),
    ("GET /v1/incidents/{}/notes", (3, 3), (3, 3)),
    ("POST /v1/incidents/{}/notes", (5, 4), (7, 5)),
    ("DELETE /v1/incidents/{}/notes/{}", (8, 5), (10, 6)),
    ("GET /v1/incidents/{}/notes/{}", (2, 2), (2, 2)),
    ("PATCH /v1/incidents/{}/notes/{}", (8, 5), (10, 6)),
    ("POST /v1/incidents/{}/notes/{}/restore", (7, 5), (9, 6)),
    ("GET /v1/incidents/{}/notes/{}/revisions", (3, 3), (3, 3)),
    ("POST /v1/incidents/{}/redact", (22, 17), (24, 18)),
    ("GET /v1/incidents/{}/review", (3, 3), (3, 3)),
    ("PATCH /v1/incidents/{}/review", (10, 8), (12, 9)),
    ("POST /v1/incidents/{}/review/actions/{}/task", (14, 10), (16, 11)),
    ("GET /v1/incidents/{}/review/editions", (3, 3), (3, 3)),
    ("GET /v1/incidents/{}/review/file", (6, 6), (6, 6)),
    ("GET /v1/incidents/{}/severity", (1, 1), (1, 1)),
    ("PUT /v1/incidents/{}/severity", (6, 4), (8, 5)),
    ("GET /v1/incidents/{}/tags", (2, 2), (2, 2)),
    ("POST /v1/incidents/{}/tags", (5, 4), (7, 5)),
    ("DELETE /v1/incidents/{}/tags/{}", (5, 4), (7, 5)),
    ("PUT /v1/incidents/{}/tags/{}", (5, 4), (7, 5)),
    ("GET /v1/incidents/{}/tasks", (2, 2), (2, 2)),
    ("POST /v1/incidents/{}/tasks", (6, 5), (8, 6)),
    ("DELETE /v1/incidents/{}/tasks/{}", (7, 5), (9, 6)),
    ("GET /v1/incidents/{}/tasks/{}", (2, 2), (2, 2)),
    ("PATCH /v1/incidents/{}/tasks/{}", (8, 6), (10, 7)),
    ("POST /v1/incidents/{}/tasks/{}/restore", (5, 4), (7, 5)),
    ("GET /v1/incidents/{}/timeline", (6, 6), (6, 6)),
    ("GET /v1/incidents/{}/transitions", (2, 2), (2, 2)),
    ("POST /v1/incidents/{}/transitions", (7, 5), (9, 6)),
    ("GET /v1/invitations", (1, 1), (1, 1)),
    ("POST /v1/invitations", (6, 5), (8, 6)),
    ("DELETE /v1/invitations/{}", (5, 4), (7, 5)),
    ("GET /v1/invitations/{}", (1, 1), (1, 1)),
    ("GET /v1/journal", (1, 1), (1, 1)),
    ("GET /v1/journal/head", (1, 1), (1, 1)),
    ("GET /v1/library", (0, 0), (0, 0)),
    ("GET /v1/me", (1, 1), (1, 1)),
    ("GET /v1/organizations/{}", (1, 1), (1, 1)),
    ("PATCH /v1/organizations/{}", (6, 4), (8, 5)),
    ("GET /v1/organizations/{}/risk-performance", (2, 2), (2, 2)),
    ("GET /v1/organizations/{}/risk-performance/series", (3, 3), (3, 3)),
    ("GET /v1/risks", (4, 4), (4, 4)),
    ("POST /v1/risks", (5, 4), (7, 5)),
    ("POST /v1/risks/bulk", (8, 6), (10, 7)),
    ("GET /v1/risks/changes", (12, 12), (12, 12)),
    ("GET /v1/risks/export", (6, 6), (6, 6)),
    ("GET /v1/risks/facets", (20, 20), (20, 20)),
    ("GET /v1/risks/heatmap", (2, 2), (2, 2)),
    ("GET /v1/risks/report", (21, 21), (21, 21)),
    ("POST /v1/risks/report/keep", (41, 35), (43, 36)),
    ("DELETE /v1/risks/{}", (11, 7), (13, 8)),
    ("GET /v1/risks/{}", (4, 4), (4, 4)),
    ("PATCH /v1/risks/{}", (15, 13), (17, 14)),
    ("GET /v1/risks/{}/acceptances", (3, 3), (3, 3)),
    ("POST /v1/risks/{}/acceptances", (9, 8), (11, 9)),
    ("GET /v1/risks/{}/acceptances/{}", (3, 3), (3, 3)),
    ("POST /v1/risks/{}/acceptances/{}/revoke", (6, 4), (8, 5)),
    ("POST /v1/risks/{}/acceptances/{}/waive-four-eyes", (6, 4), (8, 5)),
    ("GET /v1/risks/{}/evaluations", (2, 2), (2, 2)),
    ("POST /v1/risks/{}/evaluations", (9, 6), (11, 7)),
    ("GET /v1/risks/{}/evaluations/{}", (2, 2), (2, 2)),
    ("GET /v1/risks/{}/links", (5, 5), (5, 5)),
    ("POST /v1/risks/{}/restore", (14, 12), (16, 13)),
    ("GET /v1/risks/{}/reviews", (2, 2), (2, 2)),
    ("POST /v1/risks/{}/reviews", (6, 5), (8, 6)),
    ("GET /v1/risks/{}/tags", (2, 2), (2, 2)),
    ("POST /v1/risks/{}/tags", (5, 4), (7, 5)),
    ("DELETE /v1/risks/{}/tags/{}", (5, 4), (7, 5)),
    ("PUT /v1/risks/{}/tags/{}", (5, 4), (7, 5)),
    ("GET /v1/risks/{}/tasks", (2, 2), (2, 2)),
    ("POST /v1/risks/{}/tasks", (6, 5), (8, 6)),
    ("DELETE /v1/risks/{}/tasks/{}", (5, 4), (7, 5)),
    ("GET /v1/risks/{}/tasks/{}", (2, 2), (2, 2)),
    ("PATCH /v1/risks/{}/tasks/{}", (6, 5), (8, 6)),
    ("POST /v1/risks/{}/tasks/{}/restore", (5, 4), (7, 5)),
    ("GET /v1/scale", (1, 1), (1, 1)),
    ("PUT /v1/scale", (7, 6), (9, 7)),
    ("GET /v1/scale/versions", (1, 1), (1, 1)),
    ("GET /v1/scale/versions/{}", (1, 1), (1, 1)),
    ("GET /v1/search", (9, 9), (9, 9)),
    ("POST /v1/severity/assess", (0, 0), (0, 0)),
    ("GET /v1/sources/{}/incidents/{}", (2, 2), (2, 2)),
    ("PUT /v1/sources/{}/incidents/{}", (6, 4), (8, 5)),
    ("GET /v1/tags", (1, 1), (1, 1)),
    ("POST /v1/tags", (4, 4), (6, 5)),
    ("GET /v1/tags/export", (3, 3), (3, 3)),
    ("DELETE /v1/tags/{}", (10, 9), (12, 10)),
    ("GET /v1/tags/{}", (1, 1), (1, 1)),
    ("PATCH /v1/tags/{}", (6, 5), (8, 6)),
    ("POST /v1/tags/{}/merge", (12, 8), (14, 9)),
    ("GET /v1/tasks", (2, 2), (2, 2)),
    ("POST /v1/undo", (14, 12), (16, 13)),
    ("GET /v1/users", (1, 1), (1, 1)),
    ("POST /v1/users", (10, 7), (12, 8)),
    ("GET /v1/users/export", (2, 2), (2, 2)),
    ("DELETE /v1/users/{}", (17, 15), (19, 16)),
    ("GET /v1/users/{}", (1, 1), (1, 1)),
    ("PATCH /v1/users/{}", (6, 4), (8, 5)),
    ("GET /v1/users/{}/duties", (13, 13), (13, 13)),
    ("POST /v1/users/{}/handover", (13, 7), (15, 8)),
    ("DELETE /v1/users/{}/reset-link", (5, 4), (7, 5)),
    ("GET /v1/users/{}/reset-link", (1, 1), (1, 1)),
    ("POST /v1/users/{}/reset-link", (7, 6), (9, 7)),
    ("GET /v1/views", (1, 1), (1, 1)),
    ("POST /v1/views", (4, 4), (6, 5)),
    ("DELETE /v1/views/{}", (4, 3), (6, 4)),
    ("GET /v1/views/{}", (1, 1), (1, 1)),
    ("PATCH /v1/views/{}", (5, 4), (7, 5)),
];

/// Statements and round trips.
type Cost = (u64, u64);

/// The cost of a request: the minimum of a few runs, because work of another connection may be counted too.
async fn cost(world: &World<'_>, is_keyed: bool, operation: &operations::Operation) -> Cost {
    let mut least = (u64::MAX, u64::MAX);
    for _ in 0..3 {
        let key = is_keyed.then(|| world.text().replace(' ', "-"));
        least = least.min(cost_once(world, key.as_deref(), operation).await);
    }
    least
}

/// The cost of one request once the data of its caller is cached.
async fn cost_once(world: &World<'_>, key: Option<&str>, operation: &operations::Operation) -> Cost {
    let ask = world.valid(operation).await;
    let db = &world.app.db;
    let before = (db.statements(), db.round_trips());
    let request = ask.on(world.app).bearer(&world.client);
    let answer = match key {
        Some(key) => request.idempotency_key(key).await,
        None => request.await,
    };
    assert!((200..300).contains(&answer.status), "{operation}: {}", String::from_utf8_lossy(&answer.bytes));
    // The end of a read transaction is not awaited.
    (db.statements() - before.0, db.round_trips() - before.1)
}

#[testkit::both_engines]
async fn every_operation_costs_what_the_table_says(app: TestApp) {
    let world = World::new(&app).await;
    let is_shared = app.db.engine() == db::Engine::Postgres;
    // Every lane connects and identifies itself at its first write.
    for write in operations::all().iter().filter(|operation| operation.is_write()) {
        cost_once(&world, None, write).await;
    }
    let mut found = Vec::new();
    for operation in operations::all() {
        let bare = cost(&world, false, &operation).await;
        let keyed = match operation.is_write() {
            true => cost(&world, true, &operation).await,
            false => bare,
        };
        found.push((operation.key.clone(), bare, keyed));
    }
    // SQLite has no round trips.
    let of = |cost: Cost| if is_shared { cost } else { (cost.0, 0) };
    let table: Vec<_> =
        COSTS.iter().map(|(key, bare, keyed)| ((*key).to_owned(), of(*bare), of(*keyed))).collect();
    assert_eq!(table, found);
}
