//! Access tokens at the API, and the cache of verified ones.

use testkit::{CHALLENGE, INVALID_TOKEN};

use super::*;

#[testkit::both_engines]
async fn an_access_token_lives_900_seconds_and_not_one_longer(app: TestApp) {
    let client = app.client().await;
    let fresh = app.sign_in(&client.id, &client.secret).await;
    let remembered = client.token.clone();
    assert!(is_taken(&app, &remembered).await);
    app.db.clock.advance_seconds(899);
    assert!(is_taken(&app, &remembered).await);
    app.db.clock.advance_seconds(1);
    assert!(!is_taken(&app, &remembered).await, "also when it is remembered");
    assert!(!is_taken(&app, &fresh).await);
}

#[testkit::both_engines]
async fn a_known_token_costs_no_signature_check(app: TestApp) {
    let client = app.client().await;
    let server = app.app().auth();
    assert_eq!(server.metrics.signature_checks(), 0);
    for _ in 0..10 {
        assert!(is_taken(&app, &client.token).await);
    }
    assert_eq!(server.metrics.signature_checks(), 1);
    let (another, _) = pair(&app, &client).await;
    assert!(is_taken(&app, &another).await);
    assert_eq!(server.metrics.signature_checks(), 2);
}

#[testkit::both_engines]
async fn the_token_comes_from_the_header_only(app: TestApp) {
    let client = app.client().await;
    let path = format!("/v1/organizations/{}", app.organization);
    let answer = app.get(&format!("{path}?access_token={}", client.token)).await;
    assert_eq!(answer.status, 401);
    let answer = app.get(&path).await;
    assert_eq!(answer.header("www-authenticate"), Some(CHALLENGE));
    let answer = app.get(&path).bearer("wrong").await;
    assert_eq!(answer.header("www-authenticate"), Some(INVALID_TOKEN));
    assert_eq!(answer.text("code"), "unauthenticated");
    app.get(&path).header("authorization", &format!("bearer {}", client.token)).expect(200).await;
    let twice = app.get(&path).bearer(&client).bearer(&client);
    assert_eq!(twice.await.status, 401);
}

#[testkit::both_engines]
async fn a_token_opens_its_own_organization_only(app: TestApp) {
    let other = app.db.organization("Other").await;
    let outsider = app.client_of(other, "organizations:read").await;
    app.get(&format!("/v1/organizations/{other}")).bearer(&outsider).expect(200).await;
    app.get(&format!("/v1/organizations/{}", app.organization)).bearer(&outsider).expect(404).await;
}
