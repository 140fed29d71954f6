//! Families of refresh tokens and the deny-list, on both engines.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use db::Tx;
use domain::{ClientId, FamilyId, OrgId, Scopes};
use jiff::Timestamp;
use store::revocations::{self, Revoked};
use store::sweeps::Sweep;
use store::token_families::{self, Family, TokenGeneration};
use testkit::TestDb;
use uuid::Uuid;

const FAMILY: FamilyId = FamilyId(Uuid::from_u128(1));

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn generation(number: i64) -> TokenGeneration {
    TokenGeneration {
        generation: number,
        jti: Uuid::from_u128(100 + u128::try_from(number).unwrap()),
        issued_date: at(1_000_000 + number),
        expires_date: at(2_000_000 + number),
    }
}

async fn open(db: &TestDb, org: OrgId, first: TokenGeneration) {
    db.write(org, async move |tx: &mut Tx| {
        let client = ClientId("bwc_a".to_owned());
        token_families::open(tx, org, FAMILY, &client, Uuid::nil(), Scopes::all(), &first).await
    })
    .await
    .unwrap();
}

async fn advance(
    db: &TestDb,
    org: OrgId,
    spent: TokenGeneration,
    next: TokenGeneration,
    started_after: Timestamp,
) -> Option<Family> {
    db.write(org, async move |tx: &mut Tx| {
        token_families::advance(tx, org, FAMILY, &spent, &next, Scopes::default(), started_after).await
    })
    .await
    .unwrap()
}

async fn find(db: &TestDb, org: OrgId) -> Option<Family> {
    token_families::find(&mut db.read().await.unwrap(), org, FAMILY).await.unwrap()
}

#[testkit::both_engines]
async fn only_the_current_token_is_exchanged_and_only_once(db: TestDb) {
    let org = db.organization("Acme").await;
    open(&db, org, generation(1)).await;
    open(&db, org, generation(5)).await;
    let epoch = Timestamp::UNIX_EPOCH;
    assert_eq!(find(&db, org).await.unwrap().current_jti, generation(1).jti, "a row that is there stays");

    let renamed = TokenGeneration { jti: Uuid::nil(), ..generation(1) };
    assert_eq!(advance(&db, org, renamed, generation(2), epoch).await, None, "the name must be right");
    assert_eq!(
        advance(&db, org, generation(2), generation(3), epoch).await,
        None,
        "the number must be right"
    );
    assert_eq!(
        advance(&db, org, generation(1), generation(2), generation(1).issued_date).await,
        None,
        "not too old"
    );

    let family = advance(&db, org, generation(1), generation(2), epoch).await.unwrap();
    assert_eq!(
        (family.generation, family.previous_jti, family.current_jti),
        (2, Some(generation(1).jti), generation(2).jti)
    );
    assert_eq!(
        (family.current_issued_date, family.current_expires_date),
        (generation(2).issued_date, generation(2).expires_date)
    );
    assert_eq!((family.started_date, family.scopes), (generation(1).issued_date, Scopes::default()));
    assert_eq!(advance(&db, org, generation(1), generation(2), epoch).await, None, "only once");
    assert_eq!(find(&db, org).await, Some(family));
}

#[testkit::both_engines]
async fn an_ended_family_stays_ended(db: TestDb) {
    let org = db.organization("Acme").await;
    open(&db, org, generation(1)).await;
    let end = async || {
        db.write(org, async move |tx: &mut Tx| token_families::end(tx, org, FAMILY, "test").await)
            .await
            .unwrap();
    };
    end().await;
    let ended = find(&db, org).await.unwrap().ended_date;
    assert!(ended.is_some());
    db.clock.advance_seconds(1);
    end().await;
    assert_eq!(find(&db, org).await.unwrap().ended_date, ended);
    assert_eq!(advance(&db, org, generation(1), generation(2), Timestamp::UNIX_EPOCH).await, None);
}

#[testkit::both_engines]
async fn another_organizations_family_does_not_exist(db: TestDb) {
    let (org, other) = (db.organization("Acme").await, db.organization("Other").await);
    open(&db, org, generation(1)).await;
    assert_eq!(find(&db, other).await, None);
    assert_eq!(advance(&db, other, generation(1), generation(2), Timestamp::UNIX_EPOCH).await, None);
    db.write(other, async move |tx: &mut Tx| token_families::end(tx, other, FAMILY, "test").await)
        .await
        .unwrap();
    assert_eq!(find(&db, org).await.unwrap().ended_date, None);
}

async fn sweep(db: &TestDb, what: Sweep, now: Timestamp) -> u64 {
    let swept: store::Result<_> =
        db.write_instance(async move |tx: &mut Tx| store::sweeps::sweep(tx, what, now, 1_000).await).await;
    swept.unwrap().count
}

#[testkit::both_engines]
async fn families_are_forgotten_a_day_after_their_last_token(db: TestDb) {
    let org = db.organization("Acme").await;
    open(&db, org, generation(1)).await;
    for (seconds, forgotten) in [(0, 0), (86_399, 0), (86_400, 1)] {
        let now = at(generation(1).expires_date.as_second() + seconds);
        assert_eq!(sweep(&db, Sweep::TokenFamilies, now).await, forgotten, "{seconds}");
    }
}

#[testkit::both_engines]
async fn an_entry_of_the_deny_list_is_renewed_read_and_forgotten(db: TestDb) {
    let org = db.organization("Acme").await;
    let client = ClientId("bwc_a".to_owned());
    let entries = [
        Revoked::family(FAMILY, at(100)),
        Revoked::credential(Uuid::from_u128(2), at(100)),
        Revoked::client(&client, at(50)),
        Revoked::client(&client, at(100)),
    ];
    let added = entries.clone();
    db.write(org, async move |tx: &mut Tx| {
        for entry in &added {
            revocations::add(tx, org, entry.clone()).await?;
        }
        Ok::<_, store::Error>(())
    })
    .await
    .unwrap();
    let current = async |now| {
        let mut found = revocations::current(&mut db.read().await.unwrap(), now, None).await.unwrap();
        found.sort_by_key(|entry| format!("{:?}", entry.subject));
        found
    };
    let mut expected = [entries[0].clone(), entries[1].clone(), entries[3].clone()];
    expected.sort_by_key(|entry| format!("{:?}", entry.subject));
    assert_eq!(current(at(1_899)).await, expected);
    let since = async |second| {
        let mut read = db.read().await.unwrap();
        revocations::current(&mut read, at(200), Some(at(second))).await.unwrap().len()
    };
    assert_eq!((since(99).await, since(100).await), (3, 0), "only what came after");
    assert_eq!(current(at(1_900)).await, [], "a token of 900 s has long expired");
    for (now, forgotten) in [(1_899, 0), (1_900, 3)] {
        assert_eq!(sweep(&db, Sweep::Revocations, at(now)).await, forgotten);
    }
}
