//! Clients and their secrets, on both engines.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use db::Tx;
use domain::client::{NewClient, RefreshClientAuth};
use domain::{ClientId, Error, OrgId, ResourceKind, Scopes};
use jiff::Timestamp;
use store::clients::{self, ClientRecord};
use store::refusals::{self, Refusal};
use store::sweeps::{self, Sweep};
use testkit::{TestDb, author};
use uuid::Uuid;

fn id() -> ClientId {
    ClientId("bwc_probe".to_owned())
}

async fn with_client(db: &TestDb) -> OrgId {
    let org = db.organization("Acme").await;
    let new = NewClient { name: "Probe".into(), scopes: Scopes::parse("risks:read incidents:read").unwrap() };
    db.write(org, async move |tx: &mut Tx| clients::create(tx, org, &author(), &id(), &new, &[1; 32]).await)
        .await
        .unwrap();
    org
}

async fn load(db: &TestDb, org: OrgId) -> Option<ClientRecord> {
    clients::load(&mut db.read().await.unwrap(), org, &id()).await.unwrap()
}

/// The kinds and payloads of an organization's entries; the chain and the records must agree.
async fn entries(db: &TestDb, org: OrgId) -> Vec<(String, String)> {
    let mut read = db.read().await.unwrap();
    let report = store::verify::verify(&mut read, org, None).await.unwrap();
    assert!(report.faults.is_empty(), "{:?}", report.faults);
    let entries = store::journal::list(&mut read, org, 0, 100).await.unwrap();
    entries.into_iter().map(|entry| (entry.kind, entry.payload.unwrap())).collect()
}

#[testkit::both_engines]
async fn a_client_is_found_with_its_secret_and_stands_in_the_journal(db: TestDb) {
    let org = with_client(&db).await;
    let found = clients::find(&mut db.read().await.unwrap(), &id()).await.unwrap().unwrap();
    assert_eq!((found.client.organization, found.client.name.as_str()), (org, "Probe"));
    assert_eq!(found.client.scopes.to_string(), "incidents:read risks:read");
    assert_eq!(found.refresh_client_auth, RefreshClientAuth::Optional);
    assert_eq!((found.version, found.disabled_date), (1, None));
    assert_eq!((found.secrets.len(), found.secrets[0].hash.as_slice()), (1, [1; 32].as_slice()));
    let secret = found.secrets[0].id;
    let entries = entries(&db, org).await;
    let [(kind, payload)] = entries.as_slice() else { panic!("{entries:?}") };
    assert_eq!(kind, "client.created");
    let told = r#"{"name":[null,"Probe"],"scopes":[null,"incidents:read risks:read"],"refresh_client_auth":[null,"optional"],"secrets/"#;
    assert!(payload.starts_with(&format!("{told}{secret}\":[null,\"")), "{payload}");
    assert!(!payload.contains(&"01".repeat(32)), "the stored hash is not told: {payload}");
}

/// The token endpoint is told the id of a client and not of its organization.
#[testkit::both_engines]
async fn two_organizations_cannot_have_clients_with_the_same_id(db: TestDb) {
    let first = with_client(&db).await;
    let second = db.organization("Umbrella").await;
    let new = NewClient { name: "Other".into(), scopes: Scopes::all() };
    let work = async move |tx: &mut Tx| clients::create(tx, second, &author(), &id(), &new, &[2; 32]).await;
    assert!(db.write(second, work).await.is_err());
    assert!(load(&db, second).await.is_none());
    let found = clients::find(&mut db.read().await.unwrap(), &id()).await.unwrap().unwrap();
    assert_eq!(found.client.organization, first);
}

#[testkit::both_engines]
async fn replaced_secrets_are_gone_and_revoked(db: TestDb) {
    let org = with_client(&db).await;
    let old = load(&db, org).await.unwrap().secrets[0].id;
    let revoked = db
        .write(org, async move |tx: &mut Tx| {
            clients::replace_secrets(tx, org, &author(), &id(), &[2; 32]).await
        })
        .await
        .unwrap();
    let now = load(&db, org).await.unwrap();
    assert_eq!((now.version, now.secrets.len()), (2, 1));
    assert_eq!(now.secrets[0].hash, [2; 32]);
    let current =
        store::revocations::current(&mut db.read().await.unwrap(), db.clock.now(), None).await.unwrap();
    assert_eq!(current, revoked);
    assert_eq!(revoked[0].subject, store::revocations::Subject::Credential(old));
    let (kind, payload) = entries(&db, org).await.pop().unwrap();
    assert_eq!(kind, "client.updated");
    let new = now.secrets[0].id;
    assert!(
        payload.starts_with(&format!(r#"{{"secrets/{old}":[true,null],"secrets/{new}":[null,""#)),
        "{payload}"
    );
}

#[testkit::both_engines]
async fn disabling_twice_changes_nothing_the_second_time(db: TestDb) {
    let org = with_client(&db).await;
    let disable = async || {
        db.write(org, async move |tx: &mut Tx| clients::disable(tx, org, &author(), &id()).await)
            .await
            .unwrap()
    };
    assert_eq!(disable().await.len(), 1);
    let disabled = load(&db, org).await.unwrap();
    assert!(disabled.disabled_date.is_some());
    assert_eq!(disable().await, []);
    assert_eq!(load(&db, org).await.unwrap().version, disabled.version);
    assert_eq!(entries(&db, org).await.len(), 2);
}

#[testkit::both_engines]
async fn the_last_use_never_goes_back_and_is_not_journaled(db: TestDb) {
    let org = with_client(&db).await;
    let secret = load(&db, org).await.unwrap().secrets[0].id;
    let at = |second| Timestamp::from_second(second).unwrap();
    for (noted, kept) in [(100, 100), (90, 100), (110, 110)] {
        db.write(org, async move |tx: &mut Tx| clients::note_use(tx, org, &[(secret, at(noted))]).await)
            .await
            .unwrap();
        assert_eq!(load(&db, org).await.unwrap().secrets[0].last_used_date, Some(at(kept)));
    }
    assert_eq!(entries(&db, org).await.len(), 1);
}

#[testkit::both_engines]
async fn another_organizations_client_does_not_exist(db: TestDb) {
    let org = with_client(&db).await;
    let secret = load(&db, org).await.unwrap().secrets[0].id;
    let other = db.organization("Other").await;
    assert!(load(&db, other).await.is_none());
    let not_found = Err(store::Error(Error::NotFound(ResourceKind::Client)));
    let replaced = db
        .write(other, async move |tx: &mut Tx| {
            clients::replace_secrets(tx, other, &author(), &id(), &[2; 32]).await.map(drop)
        })
        .await;
    assert_eq!(replaced, not_found);
    let disabled = db
        .write(other, async move |tx: &mut Tx| clients::disable(tx, other, &author(), &id()).await.map(drop))
        .await;
    assert_eq!(disabled, not_found);
    let required = db
        .write(other, async move |tx: &mut Tx| {
            let required = RefreshClientAuth::Required;
            clients::set_refresh_client_auth(tx, other, &author(), &id(), required).await
        })
        .await;
    assert_eq!(required, not_found);
    db.write(other, async move |tx: &mut Tx| {
        clients::note_use(tx, other, &[(secret, Timestamp::UNIX_EPOCH)]).await
    })
    .await
    .unwrap();
    let untouched = load(&db, org).await.unwrap();
    assert_eq!((untouched.version, untouched.secrets[0].last_used_date), (1, None));
    assert_eq!(entries(&db, other).await, []);
}

#[testkit::both_engines]
async fn clients_with_many_secrets_and_with_none_are_distinguished(db: TestDb) {
    let org = with_client(&db).await;
    db.write(org, async move |tx: &mut Tx| {
        let new = NewClient { name: "Second".into(), scopes: Scopes::all() };
        let second = ClientId("bwc_second".to_owned());
        clients::create(tx, org, &author(), &second, &new, &[3; 32]).await?;
        let sql = "INSERT INTO client_secret (organization, id, client_id, hash, credential_id, created_date)
                   VALUES ($1, $2, $3, $4, $2, $5)";
        let hash = [4_u8; 32];
        tx.execute(sql, &[&org.uuid(), &Uuid::from_u128(7), &second.as_str(), &hash.as_slice(), &tx.at()])
            .await?;
        tx.execute("DELETE FROM client_secret WHERE client_id = $1", &[&id().as_str()]).await?;
        Ok::<_, store::Error>(())
    })
    .await
    .unwrap();
    assert_eq!(load(&db, org).await.unwrap().secrets.len(), 0);
    let second = ClientId("bwc_second".to_owned());
    let second = clients::load(&mut db.read().await.unwrap(), org, &second).await.unwrap().unwrap();
    assert_eq!(second.secrets.len(), 2);
    assert!(second.has_live_secret(Uuid::from_u128(7), db.clock.now()));
}

#[testkit::both_engines]
async fn a_secret_that_was_put_there_by_hand_is_noticed(db: TestDb) {
    let org = with_client(&db).await;
    db.write(org, async move |tx: &mut Tx| {
        let sql = "INSERT INTO client_secret (organization, id, client_id, hash, credential_id, created_date)
                   VALUES ($1, $2, $3, $4, $2, $5)";
        let hash = [4_u8; 32];
        tx.execute(sql, &[&org.uuid(), &Uuid::from_u128(7), &id().as_str(), &hash.as_slice(), &tx.at()]).await
    })
    .await
    .unwrap();
    let report = store::verify::verify(&mut db.read().await.unwrap(), org, None).await.unwrap();
    assert_eq!(report.faults.len(), 1, "{:?}", report.faults);
}

fn refusal(n: u128) -> Refusal {
    Refusal {
        id: Uuid::from_u128(n),
        refused_date: Timestamp::from_second(i64::try_from(n).unwrap()).unwrap(),
        reason: "wrong_secret".to_owned(),
        scope: n.is_multiple_of(2).then(|| "risks:read".to_owned()),
        address: "192.0.2.1".to_owned(),
        request_id: format!("r{n}"),
    }
}

async fn refuse(db: &TestDb, org: OrgId, client: &'static str, numbers: std::ops::Range<u128>) {
    let rows: Vec<_> = numbers.map(refusal).collect();
    db.write(org, async move |tx: &mut Tx| refusals::add(tx, org, &ClientId(client.to_owned()), &rows).await)
        .await
        .unwrap();
}

#[testkit::both_engines]
async fn the_newest_hundred_refusals_of_each_client_are_kept(db: TestDb) {
    let (org, other) = (db.organization("Acme").await, db.organization("Other").await);
    refuse(&db, org, "bwc_a", 0..60).await;
    refuse(&db, org, "bwc_a", 60..130).await;
    refuse(&db, org, "bwc_a", 129..130).await;
    refuse(&db, org, "bwc_b", 500..501).await;
    refuse(&db, other, "bwc_a", 600..601).await;
    let list = async |org, client: &str, before: Option<u128>, limit| {
        let client = ClientId(client.to_owned());
        let before = before.map(Uuid::from_u128);
        refusals::list(&mut db.read().await.unwrap(), org, &client, before, limit).await.unwrap()
    };
    let page = list(org, "bwc_a", None, 200).await;
    assert_eq!(page.rows, (30..130).rev().map(refusal).collect::<Vec<_>>());
    assert!(!page.has_more);
    let page = list(org, "bwc_a", Some(32), 1).await;
    assert_eq!((page.rows, page.has_more), (vec![refusal(31)], true));
    assert_eq!(list(org, "bwc_b", None, 200).await.rows, [refusal(500)]);
    assert_eq!(list(other, "bwc_a", None, 200).await.rows, [refusal(600)]);
    let month_later = Timestamp::from_second(100 + 30 * 86_400).unwrap();
    let sweep = async move |tx: &mut Tx| sweeps::sweep(tx, Sweep::Refusals, month_later, 1_000).await;
    let swept: store::Result<_> = db.write_instance(sweep).await;
    assert_eq!(swept.unwrap().count, 71);
    assert_eq!(list(org, "bwc_a", None, 200).await.rows.len(), 29);
}
