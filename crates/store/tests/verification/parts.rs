//! A long chain is checked in parts.

use db::Tx;
use domain::OrgId;
use testkit::{TestDb, both_engines};

use super::filled::filled;

/// What parts of this length say, from the first entry to the last.
async fn faults(tx: &mut Tx, org: OrgId, most: i64) -> Vec<String> {
    let (mut after, mut found) = (0, Vec::new());
    loop {
        let report = store::verify::verify_part(tx, org, after, most).await.unwrap();
        found.extend(report.faults.into_iter().map(|fault| format!("{}: {}", fault.seq, fault.detail)));
        if !found.is_empty() || report.entries == 0 || report.entries < most {
            return found;
        }
        after = report.head.seq;
    }
}

#[both_engines]
async fn a_chain_is_checked_in_parts(db: TestDb) {
    let org = filled(&db).await;
    let mut tx = db.read().await.unwrap();
    let last = store::journal::head(&mut tx, org).await.unwrap().seq;
    for most in [1, 7, last - 1, last, last + 1] {
        assert_eq!(faults(&mut tx, org, most).await, [""; 0], "{most}");
    }
    drop(tx);
    for (sql, expected) in [
        ("DELETE FROM journal_entry WHERE organization = $1 AND seq = 5", "6: Entry 6 follows entry 4."),
        ("UPDATE journal_entry SET kind = 'x' WHERE organization = $1 AND seq = 9", "9: The entry is not"),
        ("UPDATE organization_head SET seq = seq - 1 WHERE organization = $1", "The organization's head"),
        ("DELETE FROM journal_entry WHERE organization = $1 AND seq > 20", "20: The organization's head"),
    ] {
        for most in [4, 10, 20, 1_000] {
            let sql = sql.to_owned();
            let found: Result<(), store::Error> = db
                .write(org, async move |tx: &mut Tx| {
                    tx.execute(&sql, &[&org.uuid()]).await?;
                    let found = faults(tx, org, most).await.join("\n");
                    // Nothing of it stays.
                    Err(domain::Error::Internal(found).into())
                })
                .await;
            let domain::Error::Internal(found) = found.unwrap_err().0 else { panic!("{expected}") };
            let is_told = found.contains(expected) || found.contains("Entry 4 is not there") && most == 4;
            assert!(is_told, "{most}: {expected}: {found}");
        }
    }
}
