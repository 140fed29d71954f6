//! Each sweep takes what has expired, the oldest first and only so much, and nothing else.

use db::Tx;
use domain::invitation::OPEN_FOR;
use domain::person::NewMember;
use domain::{ClientId, FamilyId, OrgId, Role, Scopes};
use jiff::{SignedDuration, Timestamp};
use store::housekeeping::Taken;
use store::refusals::{self, Refusal};
use store::revocations::{self, Revoked};
use store::sweeps::{Sweep, is_due};
use store::token_families::{self, TokenGeneration};
use store::{invitations, sessions};
use testkit::{TestDb, author};
use uuid::Uuid;

use crate::housekeeping::support::{rows, sweep};

const TABLES: [&str; 9] = [
    "idempotency_key",
    "token_family",
    "revocation",
    "client_refusal",
    "session",
    "invitation",
    "continued_request",
    "reset_link",
    "import",
];

const MICROSECOND: SignedDuration = SignedDuration::from_micros(1);

/// When the one row of each table expires, counted from its making; a session twice, of which the other
/// is used until its time is over.
fn expiries() -> [(Sweep, SignedDuration); 10] {
    [
        (Sweep::ContinuedRequests, SignedDuration::from_mins(15)),
        (Sweep::Revocations, SignedDuration::from_secs(1_800)),
        (Sweep::ResetLinks, domain::reset_link::OPEN_FOR),
        (Sweep::Sessions, sessions::IDLE),
        (Sweep::IdempotencyKeys, SignedDuration::from_hours(24)),
        (Sweep::Invitations, OPEN_FOR),
        (Sweep::Imports, SignedDuration::from_hours(7 * 24 + 1)),
        (Sweep::TokenFamilies, SignedDuration::from_hours((7 + 1) * 24)),
        (Sweep::Sessions, sessions::LONGEST),
        (Sweep::Refusals, SignedDuration::from_hours(30 * 24)),
    ]
}

/// A row of each kind, as young as can be.
async fn fill(db: &TestDb, org: OrgId) {
    db.keep_answers(org, 0..1).await;
    let now = db.clock.now();
    db.write(org, async move |tx: &mut Tx| {
        let client = ClientId("bwc_a".to_owned());
        let expires_date = now + SignedDuration::from_hours(7 * 24);
        let first = TokenGeneration { generation: 1, jti: Uuid::nil(), issued_date: now, expires_date };
        let family = FamilyId(Uuid::from_u128(1));
        token_families::open(tx, org, family, &client, Uuid::nil(), Scopes::all(), &first).await?;
        revocations::add(tx, org, Revoked::client(&client, now)).await?;
        let refusal = Refusal {
            id: Uuid::from_u128(1),
            refused_date: now,
            reason: "wrong_secret".to_owned(),
            scope: None,
            address: "192.0.2.1".to_owned(),
            request_id: "r".to_owned(),
        };
        refusals::add(tx, org, &client, &[refusal]).await?;
        let bea = NewMember { name: "Bea".into(), email: "bea@x.org".into(), job_title: None, roles: Role::Viewer.into() };
        invitations::create(tx, org, &author(), &bea, &[8; 32]).await?;
        let continued = "INSERT INTO continued_request (organization, seq, after_seq, created_date) VALUES ($1, 2, 1, $2)";
        tx.execute(continued, &[&org.uuid(), &now]).await?;
        let link = "INSERT INTO reset_link (organization, id, person, password_version, token_hash, created_by_kind,
                        created_by_id, created_date, expires_date) VALUES ($1, $2, $2, 1, $3, 'user', 'x', $4, $5)";
        let (id, expires) = (Uuid::from_u128(1), now + domain::reset_link::OPEN_FOR);
        tx.execute(link, &[&org.uuid(), &id, &[9_u8; 32].as_slice(), &now, &expires]).await?;
        let import = "INSERT INTO import (organization, id, created, updated, unchanged, skipped, wrong, kind, state,
                          fingerprint, proposal, choices, answers, entries, done, created_by_kind, created_by_id,
                          created_date, updated_date, version)
                      VALUES ($1, $2, 0, 0, 0, 0, 0, 'risks', 'done', '', '{}', '{}', '{}', 0, 0, 'user', 'x', $3, $3, 1)";
        // An hour younger, because invitations expire at the same time.
        let made = now + SignedDuration::from_hours(1);
        tx.execute(import, &[&org.uuid(), &Uuid::from_u128(1), &made]).await?;
        let session =
            "INSERT INTO session (organization, id, person, token_hash, password_version, created_date,
                           last_used_date, expires_date) VALUES ($1, $2, $2, $3, 1, $4, $5, $6)";
        let expires = now + sessions::LONGEST;
        for (id, last_used) in [(1, now), (2, expires)] {
            let (id, token) = (Uuid::from_u128(id), id.to_be_bytes());
            tx.execute(session, &[&org.uuid(), &id, &token.as_slice(), &now, &last_used, &expires]).await?;
        }
        Ok::<_, store::Error>(())
    })
    .await
    .unwrap();
}

async fn counts(db: &TestDb) -> Vec<i64> {
    let mut counts = Vec::new();
    for table in TABLES {
        counts.push(rows(db, table).await);
    }
    counts
}

async fn due(db: &TestDb, what: Sweep, now: Timestamp) -> bool {
    is_due(&mut db.read().await.unwrap(), what, now).await.unwrap()
}

#[testkit::both_engines]
async fn each_sweep_takes_what_has_expired_and_nothing_else(db: TestDb) {
    let org = db.organization("Acme").await;
    let made = db.clock.now();
    fill(&db, org).await;
    assert_eq!(counts(&db).await, [1, 1, 1, 1, 2, 1, 1, 1, 1]);
    // Of another time: it stays to the end.
    db.clock.advance_days(400);
    db.keep_answers(org, 1..2).await;
    let mut left = counts(&db).await;
    for (what, expiry) in expiries() {
        let early = made + expiry - MICROSECOND;
        for other in Sweep::ALL {
            assert!(!due(&db, other, early).await, "{other:?} just before {what:?}");
            assert_eq!(
                sweep(&db, other, early, 10).await,
                Taken::default(),
                "{other:?} just before {what:?}"
            );
        }
        let now = made + expiry;
        assert!(due(&db, what, now).await, "{what:?}");
        assert_eq!(sweep(&db, what, now, 10).await, Taken { count: 1, more: false }, "{what:?}");
        let table = match what {
            Sweep::IdempotencyKeys => 0,
            Sweep::TokenFamilies => 1,
            Sweep::Revocations => 2,
            Sweep::Refusals => 3,
            Sweep::Sessions => 4,
            Sweep::Invitations => 5,
            Sweep::ContinuedRequests => 6,
            Sweep::ResetLinks => 7,
            Sweep::Imports => 8,
        };
        left[table] -= 1;
        assert_eq!(counts(&db).await, left, "{what:?}");
    }
    assert_eq!(left, [1, 0, 0, 0, 0, 0, 0, 0, 0]);
}

#[testkit::both_engines]
async fn one_write_takes_the_oldest_and_only_so_many(db: TestDb) {
    let org = db.organization("Acme").await;
    db.keep_answers(org, 0..4).await;
    db.clock.advance_seconds(60);
    db.keep_answers(org, 4..7).await;
    db.clock.advance_days(2);
    let now = db.clock.now();
    let statements = db.statements();
    assert_eq!(sweep(&db, Sweep::IdempotencyKeys, now, 3).await, Taken { count: 3, more: true });
    let one = db.statements() - statements;
    assert_eq!(sweep(&db, Sweep::IdempotencyKeys, now, 2).await, Taken { count: 2, more: true });
    let mut tx = db.read().await.unwrap();
    let left: Vec<(String,)> = tx.query("SELECT key FROM idempotency_key ORDER BY key", &[]).await.unwrap();
    drop(tx);
    assert_eq!(left.len(), 2);
    assert!(left.iter().all(|(key,)| ["k4", "k5", "k6"].contains(&key.as_str())), "{left:?}");
    let statements = db.statements();
    assert_eq!(sweep(&db, Sweep::IdempotencyKeys, now, 3).await, Taken { count: 2, more: false });
    assert_eq!(db.statements() - statements, one, "as many statements, whatever they take");
}

/// Two processes at once take each row once, and a row that a request is about to use is left to it.
#[testkit::both_engines]
async fn processes_may_sweep_at_the_same_time(db: TestDb) {
    let org = db.organization("Acme").await;
    db.keep_answers(org, 0..200).await;
    db.clock.advance_days(2);
    let (second, now) = (db.second(2).await, db.clock.now());
    let all = async |db: &TestDb| {
        let mut count = 0;
        loop {
            let taken = sweep(db, Sweep::IdempotencyKeys, now, 7).await;
            count += taken.count;
            if !taken.more {
                return count;
            }
        }
    };
    let (here, there, ()) = tokio::join!(all(&db), all(&second), db.keep_answers(org, 0..5));
    assert!((195..=200).contains(&(here + there)), "{here} and {there}");
    // The five that were used again are there with their new time.
    assert_eq!(rows(&db, "idempotency_key").await, 5);
}
