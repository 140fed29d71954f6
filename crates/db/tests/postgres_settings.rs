//! How the sessions on PostgreSQL are set up.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use testkit::{EmptyDatabase, Engine};

#[test]
fn a_statement_that_reads_a_whole_table_is_not_compiled() {
    testkit::run(Engine::Postgres, async |database: EmptyDatabase| {
        let db = crate::common::open(&database).await;
        let mut tx = db.read().await.unwrap();
        let sql = "EXPLAIN (ANALYZE) SELECT count(*) FROM child";
        let lines: Vec<(String,)> = tx.query(sql, &[]).await.unwrap();
        let plan = lines.into_iter().map(|(line,)| line).collect::<Vec<_>>().join("\n");
        assert!(plan.contains("Seq Scan on child"), "{plan}");
        assert!(!plan.contains("JIT"), "{plan}");
    });
}
