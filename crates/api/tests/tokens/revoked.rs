//! Tokens that are revoked before they expire, in this process and in others.

use std::sync::Arc;

use auth::Auth;
use axum::extract::FromRef;
use testkit::{PATIENCE, author};

use super::request::disable;
use super::*;

#[testkit::both_engines]
async fn another_process_honours_a_revocation_within_two_seconds(app: TestApp) {
    let client = app.client().await;
    let (access, first) = pair(&app, &client).await;
    let elsewhere = app.beside(2).await;
    assert!(is_taken(&elsewhere, &access).await, "it is remembered there");
    let upkeep = tokio::spawn(auth::upkeep(Arc::<Auth>::from_ref(elsewhere.app())));
    tokens(&refresh(&app, &first).await);
    app.db.clock.advance_seconds(11);
    assert_eq!(refresh(&app, &first).await.status, 400);
    soon("it is refused", async || !is_taken(&elsewhere, &access).await).await;
    upkeep.abort();
}

#[testkit::both_engines]
async fn a_client_disabled_elsewhere_is_refused_once_the_deny_list_was_read(app: TestApp) {
    let client = app.client().await;
    let (remembered, unseen) = (client.token.clone(), pair(&app, &client).await.0);
    assert!(is_taken(&app, &remembered).await);
    disable(&app, app.organization, &client.id).await;
    assert!(!is_taken(&app, &unseen).await, "the client is looked at when a token is seen first");
    app.app().auth().read_deny_list().await.unwrap();
    assert!(!is_taken(&app, &remembered).await);
}

#[testkit::both_engines]
async fn a_process_that_starts_later_honours_what_was_revoked_before(app: TestApp) {
    let client = app.client().await;
    let (access, first) = pair(&app, &client).await;
    tokens(&refresh(&app, &first).await);
    app.db.clock.advance_seconds(11);
    assert_eq!(refresh(&app, &first).await.status, 400);
    assert!(!is_taken(&app.beside(2).await, &access).await);
}

#[testkit::both_engines]
async fn a_revocation_leaves_the_tokens_of_others_valid(app: TestApp) {
    let (client, bystander) = (app.client().await, app.client().await);
    assert!(is_taken(&app, &bystander.token).await);
    let id = domain::ClientId(client.id.clone());
    let (_, revoked) = auth::clients::replace_secret(&app.db, app.organization, author(), id).await.unwrap();
    app.app().auth().deny_list.add(&revoked);
    assert!(!is_taken(&app, &client.token).await);
    assert!(is_taken(&app, &bystander.token).await);
}

#[testkit::both_engines]
async fn upkeep_ends_with_the_server(app: TestApp) {
    let server = Arc::<Auth>::from_ref(app.app());
    let upkeep = tokio::spawn(auth::upkeep(server));
    drop(app);
    tokio::time::timeout(PATIENCE, upkeep).await.expect("it stops").unwrap();
}
