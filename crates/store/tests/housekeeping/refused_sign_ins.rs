//! Refused sign-ins are counted while the hour lasts, and each count becomes one entry afterwards.

use std::collections::BTreeMap;

use db::Tx;
use domain::{OrgId, Role, UserId, time};
use jiff::Timestamp;
use store::housekeeping::Taken;
use store::refused_sign_ins;
use testkit::TestDb;

use crate::housekeeping::support::{Dice, faults, journal, rows, service};

async fn refuse(db: &TestDb, person: Option<UserId>) {
    let count = async move |tx: &mut Tx| refused_sign_ins::count(tx, person).await;
    let counted: store::Result<()> = db.write_instance(count).await;
    counted.unwrap();
}

async fn append_entries(db: &TestDb, most: u32) -> Taken {
    let append = async move |tx: &mut Tx| refused_sign_ins::append_entries(tx, &service(), most).await;
    let taken: store::Result<_> = db.write_alone(OrgId::INSTANCE, append).await;
    taken.unwrap()
}

async fn is_due(db: &TestDb) -> bool {
    refused_sign_ins::is_due(&mut db.read().await.unwrap(), db.clock.now()).await.unwrap()
}

/// The entries in their order: the person and the payload.
async fn journaled(db: &TestDb) -> Vec<(String, String)> {
    let entries = journal(db, OrgId::INSTANCE).await.into_iter();
    let entries = entries.filter(|entry| entry.kind == "user.sign_ins_refused");
    entries.map(|entry| (entry.subject_id, entry.payload.unwrap())).collect()
}

fn payload(hour: &str, count: i64) -> String {
    format!(r#"{{"hour":[null,"2026-03-01T{hour}:00:00.000000Z"],"count":[null,{count}]}}"#)
}

/// Two people, by id.
async fn people(db: &TestDb) -> [UserId; 2] {
    let org = db.organization("Acme").await;
    let mut people = [
        db.user(org, "Ada", "ada@x.org", Role::Owner).await,
        db.user(org, "Bea", "bea@x.org", Role::Viewer).await,
    ];
    people.sort_unstable();
    people
}

#[testkit::both_engines]
async fn an_entry_has_the_count_of_an_hour_that_is_over(db: TestDb) {
    let [ada, bea] = people(&db).await;
    for time in ["09:00:00Z", "09:30:00Z", "09:59:59.999999Z"] {
        db.clock.set(&format!("2026-03-01T{time}"));
        refuse(&db, Some(ada)).await;
        assert!(!is_due(&db).await);
        assert_eq!(append_entries(&db, 10).await, Taken::default());
    }
    refuse(&db, Some(bea)).await;
    assert_eq!(journaled(&db).await, []);
    db.clock.set("2026-03-01T10:00:00Z");
    refuse(&db, Some(ada)).await;
    assert!(is_due(&db).await);
    assert_eq!(append_entries(&db, 10).await, Taken { count: 2, more: false });
    let mut expected = vec![(ada.to_string(), payload("09", 3)), (bea.to_string(), payload("09", 1))];
    assert_eq!(journaled(&db).await, expected);
    assert!(!is_due(&db).await, "the next hour goes on");
    assert_eq!(append_entries(&db, 10).await, Taken::default());
    db.clock.set("2026-03-01T13:00:00Z");
    assert_eq!(append_entries(&db, 10).await, Taken { count: 1, more: false });
    expected.push((ada.to_string(), payload("10", 1)));
    assert_eq!((journaled(&db).await, rows(&db, "refused_sign_in").await), (expected, 0));
    assert_eq!(faults(&db, OrgId::INSTANCE).await, Vec::<String>::new());
}

#[testkit::both_engines]
async fn unknown_addresses_leave_no_entry(db: TestDb) {
    people(&db).await;
    let before = journal(&db, OrgId::INSTANCE).await.len();
    for _ in 0..3 {
        refuse(&db, None).await;
    }
    assert_eq!(rows(&db, "refused_sign_in").await, 1);
    db.clock.advance_seconds(3_600);
    assert!(is_due(&db).await);
    assert_eq!(append_entries(&db, 10).await, Taken { count: 1, more: false });
    assert_eq!((journal(&db, OrgId::INSTANCE).await.len(), rows(&db, "refused_sign_in").await), (before, 0));
}

#[testkit::both_engines]
async fn one_write_appends_so_many_entries_at_most_the_oldest_first(db: TestDb) {
    let [ada, bea] = people(&db).await;
    for _ in 0..3 {
        refuse(&db, Some(bea)).await;
        refuse(&db, Some(ada)).await;
        db.clock.advance_seconds(3_600);
    }
    let statements = db.statements();
    assert_eq!(append_entries(&db, 4).await, Taken { count: 4, more: true });
    let four = db.statements() - statements;
    let of = |hour| [(ada.to_string(), payload(hour, 1)), (bea.to_string(), payload(hour, 1))];
    assert_eq!(journaled(&db).await, [of("09"), of("10")].concat());
    let statements = db.statements();
    assert_eq!(append_entries(&db, 4).await, Taken { count: 2, more: false });
    assert_eq!(db.statements() - statements, four, "as many statements, whatever they take");
    assert_eq!(journaled(&db).await, [of("09"), of("10"), of("11")].concat());
}

/// A process whose clock is behind counts in an hour that is not journaled yet.
#[testkit::both_engines]
async fn an_hour_that_was_journaled_is_over_for_every_process(db: TestDb) {
    let [ada, _] = people(&db).await;
    refuse(&db, Some(ada)).await;
    db.clock.set("2026-03-01T10:00:00Z");
    append_entries(&db, 10).await;
    db.clock.set("2026-03-01T09:59:59Z");
    refuse(&db, Some(ada)).await;
    db.clock.set("2026-03-01T11:00:00Z");
    append_entries(&db, 10).await;
    assert_eq!(
        journaled(&db).await,
        [("09", 1), ("10", 1)].map(|(hour, count)| (ada.to_string(), payload(hour, count)))
    );
}

/// Two processes count and append at the same time, in random orders: every refusal is in one entry.
#[testkit::both_engines]
async fn processes_journal_every_refusal_once(db: TestDb) {
    let people = people(&db).await;
    let second = db.second(2).await;
    let mut counted: BTreeMap<(Timestamp, String), i64> = BTreeMap::new();
    let mut dice = Dice(1);
    for _ in 0..60 {
        let mut refusals = Vec::new();
        for _ in 0..dice.below(4) {
            let person = people.get(usize::try_from(dice.below(3)).unwrap()).copied();
            if let Some(person) = person {
                *counted.entry((time::floor(db.clock.now(), 3_600), person.to_string())).or_default() += 1;
            }
            refusals.push(person);
        }
        let here = async {
            for person in refusals {
                refuse(&db, person).await;
            }
            append_entries(&db, 1).await
        };
        let there = append_entries(&second, 2);
        tokio::join!(here, there);
        db.clock.advance_seconds(dice.below(2_000));
    }
    db.clock.advance_seconds(3_600);
    tokio::join!(append_entries(&db, 100), append_entries(&second, 100));
    let mut found = BTreeMap::new();
    for (person, payload) in journaled(&db).await {
        let payload: serde_json::Value = serde_json::from_str(&payload).unwrap();
        let hour: Timestamp = payload["hour"][1].as_str().unwrap().parse().unwrap();
        let earlier = found.insert((hour, person), payload["count"][1].as_i64().unwrap());
        assert_eq!(earlier, None, "one entry for a person and an hour");
    }
    assert!(counted.len() > 10, "{counted:?}");
    assert_eq!((found, rows(&db, "refused_sign_in").await), (counted, 0));
    assert_eq!(faults(&db, OrgId::INSTANCE).await, Vec::<String>::new());
}
