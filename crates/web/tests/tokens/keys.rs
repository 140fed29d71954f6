//! The signing keys: made once, sealed, journaled.

use domain::OrgId;
use testkit::{TestDb, seeded};
use web::oauth::{AuthorizationServer, KeysError, MasterKey, SealError, Settings};

use super::*;

#[testkit::both_engines]
async fn keys_are_made_at_the_first_start_and_found_at_every_other(app: TestApp) {
    let rows = store::signing_keys::list(&mut app.db.read().await.unwrap()).await.unwrap();
    let kinds: Vec<_> =
        rows.iter().map(|row| (row.purpose.as_str(), row.algorithm.as_str(), row.state.as_str())).collect();
    assert_eq!(kinds.len(), 2);
    assert!(
        kinds.contains(&("access", "ES256", "active")) && kinds.contains(&("refresh", "HS256", "active"))
    );
    let client = app.client().await;
    let elsewhere = app.beside(2).await;
    assert_eq!(count(&app, "signing_key").await, 2);
    assert!(is_taken(&elsewhere, &client.token).await);
    let entries =
        store::journal::list(&mut app.db.read().await.unwrap(), OrgId::INSTANCE, 0, 100).await.unwrap();
    let made = entries.iter().filter(|entry| entry.kind == "signing_key.created").count();
    assert_eq!(made, 2);
}

#[testkit::both_engines]
async fn two_processes_that_start_at_once_agree(db: TestDb) {
    let master = MasterKey::generate(&*seeded(0));
    let settings = Settings::new("http://bailiwick.test");
    let second = db.second(2).await;
    let (one, other) = tokio::join!(
        AuthorizationServer::start(db.db(), &master, &settings),
        AuthorizationServer::start(second.db(), &master, &settings),
    );
    assert!(one.is_ok() && other.is_ok());
    assert_eq!(store::signing_keys::list(&mut db.read().await.unwrap()).await.unwrap().len(), 2);
}

#[testkit::both_engines]
async fn another_master_key_opens_nothing_and_says_so(app: TestApp) {
    let other = MasterKey::generate(&*seeded(99));
    let error = AuthorizationServer::start(app.db.db(), &other, &Settings::new("http://bailiwick.test"))
        .await
        .err()
        .expect("no keys");
    assert!(matches!(error, KeysError::Seal(SealError::WrongKey)), "{error}");
    assert_eq!(error.to_string(), "the master key does not open the database's signing keys");
    assert_eq!(count(&app, "signing_key").await, 2, "none was made in their place");
}
