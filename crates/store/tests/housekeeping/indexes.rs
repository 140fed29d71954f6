//! What housekeeping looks for is found by an index, however much is there.

use db::{Engine, Param};
use store::refused_sign_ins;
use store::sweeps::Sweep;
use testkit::TestDb;

/// The plan of a statement, without the choice that PostgreSQL makes for tables that are nearly empty.
async fn plan(db: &TestDb, sql: &str, params: &[&dyn Param]) -> String {
    let mut tx = db.read().await.unwrap();
    match db.engine() {
        Engine::Sqlite => {
            let rows: Vec<(i64, i64, i64, String)> =
                tx.query(&format!("EXPLAIN QUERY PLAN {sql}"), params).await.unwrap();
            rows.into_iter().map(|(.., line)| line).collect::<Vec<_>>().join("\n")
        }
        Engine::Postgres => {
            tx.execute("SET LOCAL enable_seqscan = off", &[]).await.unwrap();
            let rows: Vec<(String,)> = tx.query(&format!("EXPLAIN {sql}"), params).await.unwrap();
            rows.into_iter().map(|(line,)| line).collect::<Vec<_>>().join("\n")
        }
    }
}

/// The lines of a plan that read a whole table.
fn scans(plan: &str) -> Vec<&str> {
    let is_scan = |line: &&str| {
        let line = line.trim();
        let scans = line.starts_with("SCAN ") && !line.contains("expired") && !line.contains("USING");
        scans || line.contains("Seq Scan")
    };
    plan.lines().filter(is_scan).collect()
}

#[testkit::both_engines]
async fn sweeps_use_an_index(db: TestDb) {
    let now = db.clock.now();
    for what in Sweep::ALL {
        for sql in what.statements(db.engine()) {
            let both: [&dyn Param; 2] = [&now, &10_i64];
            let params = if sql.contains("$2") { &both[..] } else { &both[..1] };
            let plan = plan(&db, &sql, params).await;
            assert_eq!(scans(&plan), Vec::<&str>::new(), "{what:?}: {plan}");
        }
    }
}

#[testkit::both_engines]
async fn counters_of_hours_that_are_over_are_found_by_an_index(db: TestDb) {
    let both: [&dyn Param; 2] = [&db.clock.now(), &10_i64];
    for (sql, params) in [(refused_sign_ins::DUE, &both[..1]), (refused_sign_ins::TAKE, &both[..])] {
        let plan = plan(&db, sql, params).await;
        assert_eq!(scans(&plan), Vec::<&str>::new(), "{plan}");
    }
}

#[testkit::both_engines]
async fn the_oldest_in_the_trash_is_found_by_an_index(db: TestDb) {
    let org = db.organization("Acme").await;
    for trash in store::REGISTRY.trash() {
        let plan = plan(&db, &trash.statement(), &[&org.uuid(), &10_i64]).await;
        assert_eq!(scans(&plan), Vec::<&str>::new(), "{trash:?}: {plan}");
        assert!(plan.contains("_trash"), "{trash:?}: {plan}");
    }
}
