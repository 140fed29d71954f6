//! Coverage as the register knows it, compared with the rule of `domain` on what a random history did.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a panic is a test's answer")]

mod history;

use db::Tx;
use testkit::{TestDb, both_engines};

use self::history::History;

/// People join, leave, come back, get other roles, enter and leave groups; they are asked in every way, acknowledge, new
/// versions are published, the interval changes, and the document is archived and restored. Of each moment the register says what the rule says.
#[both_engines]
async fn the_register_says_of_each_moment_what_the_rule_says(db: TestDb) {
    let mut history = History::begin(&db, 11).await;
    for _ in 0..150 {
        history.step().await;
        history.compare().await;
    }
    history.check_variety();
    let (mut tx, org) = (db.read().await.unwrap(), history.org);
    assert_eq!(store::verify::verify(&mut tx, org, None).await.unwrap().faults, []);
    drop(tx);
    // What cannot be read is not passed over.
    let work = async move |tx: &mut Tx| {
        let sql = "UPDATE journal_entry SET payload = '{\"acknowledge_every_days\":1}'
            WHERE organization = $1 AND kind = 'document.updated'";
        Ok::<_, store::Error>(tx.execute(sql, &[&org.uuid()]).await?)
    };
    assert!(db.write(org, work).await.unwrap() > 0);
    let mut tx = db.read().await.unwrap();
    let read = store::acknowledgements::coverage(&mut tx, org, "policy", None).await;
    assert!(matches!(read, Err(store::Error(domain::Error::Internal(_)))), "{read:?}");
}

/// The number of statements does not grow with the number of people, groups or requests.
#[both_engines]
async fn coverage_costs_a_fixed_number_of_statements(db: TestDb) {
    let mut history = History::begin(&db, 12).await;
    let mut costs = Vec::new();
    for _ in 0..2 {
        for _ in 0..40 {
            history.step().await;
        }
        let mut tx = db.read().await.unwrap();
        let before = db.statements();
        store::acknowledgements::coverage(&mut tx, history.org, "policy", None).await.unwrap();
        let of_document = db.statements() - before;
        let person = history.people[0].id;
        store::acknowledgements::to_acknowledge(&mut tx, history.org, person).await.unwrap();
        costs.push((of_document, db.statements() - before - of_document));
    }
    assert_eq!(costs, [(10, 8); 2]);
}
