//! The signing keys: generated once, stored encrypted, journaled, rotated while tokens are in use.

use auth::keys::{KeyChange, KeysError, MasterKey, SealError, change_keys};
use auth::{Auth, Settings};
use domain::OrgId;
use store::signing_keys::{Purpose, State, StoredKey};
use testkit::{TestDb, author, seeded};

use super::*;

/// The time until a retired refresh key is deleted.
const WEEK: i64 = 7 * 24 * 60 * 60 + 60;

fn master() -> MasterKey {
    MasterKey::generate(&*seeded(0))
}

async fn stored(app: &TestApp) -> Vec<StoredKey> {
    store::signing_keys::list(&mut app.db.read().await.unwrap()).await.unwrap()
}

/// As the command line does it, in a process of its own.
async fn change(app: &TestApp, wish: KeyChange) {
    change_keys(&app.db, &master(), &author(), wish, None).await.unwrap();
}

/// `purpose algorithm state` of every key, sorted.
async fn kinds(app: &TestApp) -> Vec<String> {
    let kind = |key: &StoredKey| format!("{} {} {}", key.purpose.as_str(), key.algorithm, key.state.as_str());
    let mut kinds: Vec<_> = stored(app).await.iter().map(kind).collect();
    kinds.sort();
    kinds
}

async fn kid_of(app: &TestApp, purpose: Purpose, state: State) -> String {
    let keys = stored(app).await;
    keys.iter().find(|key| key.purpose == purpose && key.state == state).unwrap().kid.clone()
}

fn kid(token: &str) -> String {
    decoded(token).0["kid"].as_str().unwrap().to_owned()
}

/// The kinds of the instance's journal entries about keys.
async fn entries(app: &TestApp) -> Vec<String> {
    let mut read = app.db.read().await.unwrap();
    let report = store::verify::verify(&mut read, OrgId::INSTANCE, None).await.unwrap();
    assert_eq!(report.faults, []);
    let all = store::journal::list(&mut read, OrgId::INSTANCE, 0, 1_000).await.unwrap();
    let kinds = all.into_iter().map(|entry| entry.kind);
    kinds.filter(|kind| kind.starts_with("signing_key.")).collect()
}

#[testkit::both_engines]
async fn keys_are_made_at_the_first_start_and_found_at_every_other(app: TestApp) {
    let all = ["access ES256 active", "access ES256 next", "refresh HS256 active", "refresh HS256 next"];
    assert_eq!(kinds(&app).await, all);
    let client = app.client().await;
    let elsewhere = app.beside(2).await;
    assert_eq!(kinds(&app).await, all);
    assert!(is_taken(&elsewhere, &client.token).await);
    assert_eq!(entries(&app).await, ["signing_key.created"; 4]);
}

#[testkit::both_engines]
async fn two_processes_that_start_at_once_agree(db: TestDb) {
    let (master, settings) = (master(), Settings::new("http://bailiwick.test"));
    let second = db.second(2).await;
    let (one, other) =
        tokio::join!(Auth::start(db.db(), &master, &settings), Auth::start(second.db(), &master, &settings),);
    assert!(one.is_ok() && other.is_ok());
    assert_eq!(store::signing_keys::list(&mut db.read().await.unwrap()).await.unwrap().len(), 4);
}

#[testkit::both_engines]
async fn another_master_key_opens_nothing_and_says_so(app: TestApp) {
    let other = MasterKey::generate(&*seeded(99));
    let settings = Settings::new("http://bailiwick.test");
    let error = Auth::start(app.db.db(), &other, &settings).await.err().expect("no keys");
    assert!(matches!(error, KeysError::Seal(SealError::WrongKey)), "{error}");
    assert_eq!(error.to_string(), "the master key does not open the database's signing keys");
    let error = change_keys(&app.db, &other, &author(), KeyChange::Rotate, None).await.expect_err("no keys");
    assert!(matches!(error, KeysError::Seal(SealError::WrongKey)), "{error}");
    assert_eq!(entries(&app).await, ["signing_key.created"; 4], "none was made in their place");
}

/// A start that was interrupted between the steps of a rotation, or keys that were deleted manually.
#[testkit::both_engines]
async fn keys_without_successors_get_them_at_the_next_start(app: TestApp) {
    let client = app.client().await;
    app.db
        .write_instance(async |tx: &mut db::Tx| {
            tx.execute("DELETE FROM signing_key WHERE state = 'next'", &[]).await?;
            Ok::<_, store::Error>(())
        })
        .await
        .unwrap();
    let newer = app.beside(2).await;
    assert_eq!(stored(&app).await.len(), 4);
    assert!(is_taken(&newer, &client.token).await);
}

#[testkit::both_engines]
async fn a_rotation_disturbs_no_token_in_any_process(app: TestApp) {
    let client = app.client().await;
    let elsewhere = app.beside(2).await;
    let (access, token) = pair(&app, &client).await;
    let next =
        (kid_of(&app, Purpose::Access, State::Next).await, kid_of(&app, Purpose::Refresh, State::Next).await);
    change(&app, KeyChange::Rotate).await;
    assert_eq!(
        kinds(&app).await,
        [
            "access ES256 active",
            "access ES256 next",
            "access ES256 retired",
            "refresh HS256 active",
            "refresh HS256 next",
            "refresh HS256 retired",
        ]
    );
    // Before a process has learned of it.
    let late = pair(&app, &client).await;
    assert_eq!(kid(&late.0), kid(&access));
    app.app().auth().keys.read().await.unwrap();
    let fresh = pair(&app, &client).await;
    assert_eq!((kid(&fresh.0), kid(&fresh.1)), next, "the keys that were published before");
    // The other process has not read the table again: it knew the next keys.
    let statements = elsewhere.db.statements();
    for token in [&access, &late.0, &fresh.0, &client.token] {
        assert!(is_taken(&app, token).await && is_taken(&elsewhere, token).await);
    }
    assert!(elsewhere.db.statements() - statements <= 16, "callers and the organization, no keys");
    for refreshable in [&token, &late.1, &fresh.1] {
        tokens(&refresh(&elsewhere, refreshable).await);
    }
    assert_eq!(entries(&app).await.len(), 4 + 2 * 3);
}

#[testkit::both_engines]
async fn a_running_process_takes_over_a_rotation_made_elsewhere_within_seconds(app: TestApp) {
    use axum::extract::FromRef;
    let client = app.client().await;
    let server = std::sync::Arc::<Auth>::from_ref(app.app());
    let upkeep = tokio::spawn(auth::upkeep(server));
    change(&app, KeyChange::Rotate).await;
    let active = kid_of(&app, Purpose::Access, State::Active).await;
    soon("the new key signs", async || kid(&pair(&app, &client).await.0) == active).await;
    upkeep.abort();
}

/// Keys that were never published as `next`: a token that names one makes a process read the table.
#[testkit::both_engines]
async fn a_token_of_an_unknown_key_makes_a_process_look_at_once(app: TestApp) {
    let client = app.client().await;
    let elsewhere = app.beside(2).await;
    let (access, token) = pair(&app, &client).await;
    assert!(is_taken(&elsewhere, &access).await);
    change(&app, KeyChange::Replace).await;
    app.app().auth().keys.read().await.unwrap();
    let (fresh, refreshable) = pair(&app, &client).await;
    // Many at once: one reads the table and the others wait for it.
    let all = futures_util::future::join_all((0..20).map(|_| is_taken(&elsewhere, &fresh))).await;
    assert_eq!(all, [true; 20]);
    tokens(&refresh(&elsewhere, &refreshable).await);
    for process in [&app, &elsewhere] {
        assert!(!is_taken(process, &access).await, "what the old keys signed is over, remembered or not");
        assert_eq!(outcome(&refresh(process, &token).await), "400 invalid_grant Invalid credentials");
    }
    assert_eq!(stored(&app).await.len(), 4);
}

#[testkit::both_engines]
async fn unknown_keys_cause_one_look_a_second_however_many_there_are(app: TestApp) {
    let forged = |serial: u32| {
        let header = json!({"typ": "at+jwt", "alg": "ES256", "kid": format!("unknown-{serial}")});
        format!("{}.e30.AAAA", URL_SAFE_NO_PAD.encode(header.to_string()))
    };
    for _ in 0..3 {
        let before = app.db.statements();
        for serial in 0..50 {
            assert!(!is_taken(&app, &forged(serial)).await);
            assert_eq!(refresh(&app, &forged(serial)).await.status, 400);
        }
        assert_eq!(app.db.statements() - before, 1);
        app.db.clock.advance_seconds(1);
    }
}

#[testkit::both_engines]
async fn keys_are_rotated_by_age_once_across_processes(app: TestApp) {
    let client = app.client().await;
    let elsewhere = app.beside(2).await;
    let first = kid(&client.token);
    for process in [&app, &elsewhere] {
        process.app().auth().keys.maintain().await.unwrap();
    }
    app.db.clock.advance_days(90);
    app.db.clock.advance_seconds(-1);
    app.app().auth().keys.maintain().await.unwrap();
    assert_eq!(stored(&app).await.len(), 4, "a second too early");
    // Each write so far took a microsecond.
    app.db.clock.advance_seconds(2);
    let (one, other) = tokio::join!(app.app().auth().keys.maintain(), elsewhere.app().auth().keys.maintain());
    assert!(one.is_ok() && other.is_ok());
    assert_eq!(stored(&app).await.len(), 6, "one rotation");
    for process in [&app, &elsewhere] {
        process.app().auth().keys.read().await.unwrap();
        let token = process.sign_in(&client.id, &client.secret).await;
        assert_eq!(kid(&token), kid_of(&app, Purpose::Access, State::Active).await);
        assert_ne!(kid(&token), first);
    }
    assert_eq!(entries(&app).await.len(), 4 + 2 * 3);
}

#[testkit::both_engines]
async fn a_retired_key_is_kept_for_as_long_as_what_it_signed_lives(app: TestApp) {
    let client = app.client().await;
    let (access, token) = pair(&app, &client).await;
    change(&app, KeyChange::Rotate).await;
    let keep = async || {
        app.app().auth().keys.read().await.unwrap();
        app.app().auth().keys.maintain().await.unwrap();
        kinds(&app).await.iter().filter(|kind| kind.ends_with("retired")).count()
    };
    app.db.clock.advance_seconds(899);
    assert!(keep().await == 2 && is_taken(&app, &access).await);
    app.db.clock.advance_seconds(60);
    assert_eq!(keep().await, 2);
    // The writes since took a microsecond each.
    app.db.clock.advance_seconds(2);
    assert_eq!(keep().await, 1, "that of access tokens is deleted");
    app.db.clock.advance_seconds(WEEK - 961 - 61);
    tokens(&refresh(&app, &token).await);
    app.db.clock.advance_seconds(63);
    assert_eq!(keep().await, 0);
    assert_eq!(entries(&app).await.last().unwrap(), "signing_key.deleted");
}

#[testkit::both_engines]
async fn rotation_by_age_can_be_switched_off(db: TestDb) {
    let settings = Settings { key_rotation_days: 0, ..Settings::new("http://bailiwick.test") };
    let server = Auth::start(db.db(), &master(), &settings).await.unwrap();
    db.clock.advance_days(10_000);
    server.keys.maintain().await.unwrap();
    assert_eq!(store::signing_keys::list(&mut db.read().await.unwrap()).await.unwrap().len(), 4);
}

/// A grace period with a rotation in it: the successor is signed with another key and is the same token.
#[testkit::both_engines]
async fn a_rotation_within_the_grace_of_a_refresh_ends_no_token(app: TestApp) {
    let client = app.client().await;
    let (_, token) = pair(&app, &client).await;
    let (_, successor) = tokens(&refresh(&app, &token).await);
    change(&app, KeyChange::Rotate).await;
    app.app().auth().keys.read().await.unwrap();
    let (_, again) = tokens(&refresh(&app, &token).await);
    assert_eq!(decoded(&again).1, decoded(&successor).1);
    tokens(&refresh(&app, &again).await);
}
