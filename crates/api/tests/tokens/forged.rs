//! Tokens that were not issued by this service, or not for this use.

use jsonwebtoken::{Algorithm, EncodingKey};
use serde_json::json;

use super::*;
use crate::tokens::stolen::{Stolen, signed, with, without};

#[testkit::both_engines]
async fn an_access_token_with_a_wrong_claim_is_refused(app: TestApp) {
    let client = app.client().await;
    let stolen = Stolen::from(&app).await;
    let (header, claims) = decoded(&client.token);
    let sign = |claims: &Value| signed(&header, claims, &stolen.access, Algorithm::ES256);
    assert!(is_taken(&app, &sign(&claims)).await, "the key itself is right");
    let now = app.db.clock.now().as_second();
    for wrong in [
        with(&claims, "iss", json!("http://evil.test")),
        with(&claims, "iss", json!("http://bailiwick.test/")),
        with(&claims, "aud", json!("http://bailiwick.test")),
        with(&claims, "aud", json!(["http://bailiwick.test/v1"])),
        with(&claims, "exp", json!(now)),
        with(&claims, "exp", json!("9999999999")),
        with(&claims, "iat", json!(now + 31)),
        with(&claims, "sub", json!("bwc_other")),
        with(&with(&claims, "sub", json!("bwc_other")), "client_id", json!("bwc_other")),
        with(&claims, "org", json!("0190163d-8694-739b-aea5-966c26f8ad91")),
        with(&claims, "cred", json!("0190163d-8694-739b-aea5-966c26f8ad91")),
        with(&claims, "scope", json!("everything")),
    ] {
        assert!(!is_taken(&app, &sign(&wrong)).await, "{wrong}");
    }
    for member in ["iss", "aud", "sub", "client_id", "org", "fid", "cred", "scope", "iat", "exp", "jti"] {
        assert!(!is_taken(&app, &sign(&without(&claims, member))).await, "without {member}");
    }
}

#[testkit::both_engines]
async fn an_access_token_with_a_wrong_header_or_signature_is_refused(app: TestApp) {
    let client = app.client().await;
    let stolen = Stolen::from(&app).await;
    let (header, claims) = decoded(&client.token);
    let own = &stolen.access;
    for wrong in [
        with(&header, "typ", json!("JWT")),
        with(&header, "typ", json!("rt+jwt")),
        with(&header, "kid", json!("other")),
        with(&header, "alg", json!("none")),
        with(&header, "alg", json!("ES384")),
        with(&header, "crit", json!(["exp"])),
        without(&header, "kid"),
        without(&header, "typ"),
    ] {
        assert!(!is_taken(&app, &signed(&wrong, &claims, own, Algorithm::ES256)).await, "{wrong}");
    }
    // The public key as a shared secret.
    let hs256 = with(&header, "alg", json!("HS256"));
    let public = EncodingKey::from_secret(&stolen.public);
    assert!(!is_taken(&app, &signed(&hs256, &claims, &public, Algorithm::HS256)).await);
    // No signature, the signature of an unknown key, another token's signature.
    let none = with(&header, "alg", json!("none"));
    let unsigned = signed(&none, &claims, own, Algorithm::ES256);
    let unsigned = &unsigned[..=unsigned.rfind('.').unwrap()];
    assert!(!is_taken(&app, unsigned).await);
    let mut altered = client.token.clone();
    let last = altered.pop().unwrap();
    altered.push(if last == 'A' { 'Q' } else { 'A' });
    assert!(!is_taken(&app, &altered).await);
    let (another, _) = pair(&app, &client).await;
    let (body, _) = client.token.rsplit_once('.').unwrap();
    let (_, signature) = another.rsplit_once('.').unwrap();
    assert!(!is_taken(&app, &format!("{body}.{signature}")).await);
    // A key in the token's own header.
    let attacker = jsonwebtoken::jwk::Jwk::from_encoding_key(own, Algorithm::ES256).unwrap();
    let brought = with(&with(&header, "kid", json!("mine")), "jwk", serde_json::to_value(attacker).unwrap());
    assert!(!is_taken(&app, &signed(&brought, &claims, own, Algorithm::ES256)).await);
}

#[testkit::both_engines]
async fn a_refresh_token_is_no_access_token_and_the_reverse(app: TestApp) {
    let client = app.client().await;
    let (access, token) = pair(&app, &client).await;
    let stolen = Stolen::from(&app).await;
    assert!(!is_taken(&app, &token).await);
    assert_eq!(outcome(&refresh(&app, &access).await), "400 invalid_grant Invalid credentials");
    // Even with the type of the other token, and signed with the right key.
    let (access_header, access_claims) = decoded(&access);
    let (refresh_header, refresh_claims) = decoded(&token);
    let as_access = with(&refresh_header, "typ", json!("at+jwt"));
    assert!(!is_taken(&app, &signed(&as_access, &refresh_claims, &stolen.refresh, Algorithm::HS256)).await);
    let as_refresh = with(&access_header, "typ", json!("rt+jwt"));
    let forged = signed(&as_refresh, &access_claims, &stolen.access, Algorithm::ES256);
    assert_eq!(outcome(&refresh(&app, &forged).await), "400 invalid_grant Invalid credentials");
    assert_eq!(count(&app, "token_family").await, 0);
    tokens(&refresh(&app, &token).await);
}

#[testkit::both_engines]
async fn a_refresh_token_with_a_wrong_claim_is_refused(app: TestApp) {
    let client = app.client().await;
    let (_, token) = pair(&app, &client).await;
    let stolen = Stolen::from(&app).await;
    let (header, claims) = decoded(&token);
    let now = app.db.clock.now().as_second();
    let unknown_id = "0190163d-8694-739b-aea5-966c26f8ad91";
    for wrong in [
        with(&claims, "iss", json!("http://evil.test")),
        with(&claims, "aud", json!("http://bailiwick.test/v1")),
        with(&claims, "exp", json!(now)),
        with(&claims, "iat", json!(now + 31)),
        with(&claims, "org", json!(unknown_id)),
        with(&claims, "org", json!("00000000-0000-0000-0000-000000000000")),
        with(&claims, "cred", json!(unknown_id)),
        with(&claims, "client_id", json!("bwc_other")),
        with(&claims, "gen", json!(2)),
        with(&claims, "gen", json!(i64::MAX)),
        with(&claims, "gen", json!(0)),
        with(&claims, "gen", json!("1")),
        with(&claims, "scope", json!("everything")),
    ] {
        let forged = signed(&header, &wrong, &stolen.refresh, Algorithm::HS256);
        assert_eq!(
            outcome(&refresh(&app, &forged).await),
            "400 invalid_grant Invalid credentials",
            "{wrong}"
        );
    }
    tokens(&refresh(&app, &token).await);
}
