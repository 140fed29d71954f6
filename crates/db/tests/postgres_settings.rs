//! How the sessions on PostgreSQL are set up.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use testkit::{EmptyDatabase, Engine, PATIENCE};

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

/// Tests keep a transaction while another connection works, for minutes on a busy machine.
#[test]
fn a_transaction_waits_for_its_process_as_long_as_the_options_say() {
    testkit::run(Engine::Postgres, async |database: EmptyDatabase| {
        let db = crate::common::open(&database).await;
        let mut tx = db.read().await.unwrap();
        let sql = "SELECT setting FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout'";
        let (milliseconds,): (String,) = tx.query_one(sql, &[]).await.unwrap();
        assert_eq!(milliseconds, PATIENCE.as_millis().to_string());
    });
}
