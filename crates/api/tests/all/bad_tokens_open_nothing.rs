//! No operation has an effect for an unauthorized caller, with any token. Every request here would succeed with a
//! valid token, so the token is the only reason for its failure.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use jsonwebtoken::{Algorithm, EncodingKey};
use serde_json::{Value, json};
use testkit::{TestApp, TestClient};

use crate::all::operations::{self, Operation};
use crate::all::register::Register;
use crate::all::world::{Ask, World, all_scopes};
use crate::tokens::stolen::{Stolen, decoded, signed, with, without};

/// Tables that may change although every request was refused: the writes of a lane, and the recorded refusals.
const MAY_CHANGE: &[&str] = &["write_lane", "client_refusal"];

/// One request for each operation, on records created for it.
async fn asks(world: &World<'_>) -> Vec<(Operation, Ask)> {
    let mut asks = Vec::new();
    for operation in operations::all() {
        let ask = world.valid(&operation).await;
        asks.push((operation, ask));
    }
    asks
}

async fn assert_unchanged(app: &TestApp, before: &Register, what: &str) {
    let after = Register::of(&app.db).await;
    let changed = after.changed_since(before);
    assert!(changed.iter().all(|table| MAY_CHANGE.contains(table)), "{what} changed {changed:?}");
}

/// Sends every request with every token: each gets a 401 for an invalid token and has no effect.
async fn assert_shut(app: &TestApp, asks: &[(Operation, Ask)], tokens: &[(&str, String)]) {
    for (name, token) in tokens {
        let before = Register::of(&app.db).await;
        for (operation, ask) in asks {
            let answer = ask.on(app).bearer(token).await;
            assert_eq!(answer.status, 401, "{operation} with {name}: {}", answer.json());
            assert_eq!(answer.text("code"), "unauthenticated", "{operation} with {name}");
            let challenge = answer.header("www-authenticate").unwrap_or_default();
            assert!(challenge.starts_with("Bearer "), "{operation} with {name}: {challenge}");
            assert!(challenge.contains(r#"error="invalid_token""#), "{operation} with {name}: {challenge}");
            assert_eq!(answer.header("etag"), None, "{operation} with {name}");
        }
        assert_unchanged(app, &before, name).await;
    }
}

/// Sends all requests with a valid token: only the token was wrong.
async fn assert_open(world: &World<'_>, asks: &[(Operation, Ask)]) {
    for (_, ask) in asks {
        world.must(ask).await;
    }
}

/// A pair of tokens of a client.
async fn pair(app: &TestApp, client: &TestClient) -> (String, String) {
    let body =
        json!({"grant_type": "client_credentials", "client_id": client.id, "client_secret": client.secret});
    let answer = app.post("/v1/oauth/token").json(body).expect(200).await;
    (answer.text("access_token").to_owned(), answer.text("refresh_token").to_owned())
}

#[testkit::both_engines]
async fn no_token_opens_nothing(app: TestApp) {
    let world = World::new(&app).await;
    let asks = asks(&world).await;
    let before = Register::of(&app.db).await;
    for (operation, ask) in &asks {
        let answer = ask.on(&app).expect(401).await;
        let challenge = answer.header("www-authenticate").unwrap_or_default();
        assert!(
            challenge.starts_with("Bearer ") && !challenge.contains("error="),
            "{operation}: {challenge}"
        );
        for other in ["Basic YTpi", "Bearer", "Bearer ", "Token x", ""] {
            ask.on(&app).header("authorization", other).expect(401).await;
        }
    }
    assert_unchanged(&app, &before, "no token").await;
    assert_open(&world, &asks).await;
}

#[testkit::both_engines]
async fn an_expired_or_revoked_token_opens_nothing(app: TestApp) {
    let client = app.client().await;
    let (expired, _) = pair(&app, &client).await;
    app.db.clock.advance_seconds(900);
    let (revoked, _) = pair(&app, &client).await;
    let (of_a_family, refresh) = pair(&app, &client).await;
    for token in [&revoked, &refresh] {
        let body = json!({"token": token, "client_id": client.id, "client_secret": client.secret});
        app.post("/v1/oauth/revoke").json(body).expect(200).await;
    }
    let world = World::new(&app).await;
    let asks = asks(&world).await;
    let over = [
        ("an expired token", expired),
        ("a revoked token", revoked),
        ("a token whose family was revoked", of_a_family),
    ];
    assert_shut(&app, &asks, &over).await;
    assert_open(&world, &asks).await;
}

/// Secrets that are not access tokens, and values that resemble tokens.
#[testkit::both_engines]
async fn a_secret_that_is_no_access_token_opens_nothing(app: TestApp) {
    let world = World::new(&app).await;
    let client = app.client().await;
    let (_, refresh) = pair(&app, &client).await;
    let asks = asks(&world).await;
    let others = [
        ("a refresh token", refresh),
        ("a client's secret", client.secret.clone()),
        ("a client's id", client.id.clone()),
        ("an unknown session", "bws_0123456789abcdefghijABCDEFGHIJ01_000000".to_owned()),
        ("an old form of session", format!("bws_{}", "0".repeat(38))),
        ("an unknown invitation", format!("bwi_{}", "0".repeat(38))),
        ("an unknown reset link", format!("bwr_{}", "0".repeat(38))),
        ("one letter", "x".to_owned()),
        ("three empty parts", "..".to_owned()),
    ];
    assert_shut(&app, &asks, &others).await;
    assert_open(&world, &asks).await;
}

/// A valid key that is not one of the service's.
fn new_key() -> Vec<u8> {
    let random = aws_lc_rs::rand::SystemRandom::new();
    let kind = &aws_lc_rs::signature::ECDSA_P256_SHA256_FIXED_SIGNING;
    aws_lc_rs::signature::EcdsaKeyPair::generate_pkcs8(kind, &random).unwrap().as_ref().to_vec()
}

/// A valid token with one thing changed. It is signed again with the service's own key, as if that had been stolen,
/// unless the signature is what is wrong.
fn forged(good: &str, stolen: &Stolen, jwk: &str, now: i64) -> Vec<(&'static str, String)> {
    let (header, claims) = decoded(good);
    let own = |header: &Value, claims: &Value| signed(header, claims, &stolen.access, Algorithm::ES256);
    let foreign_key = EncodingKey::from_ec_der(&new_key());
    let signed_by_another =
        |header: &Value, claims: &Value| signed(header, claims, &foreign_key, Algorithm::ES256);
    let public = |secret: &[u8]| {
        let header = with(&header, "alg", json!("HS256"));
        signed(&header, &claims, &EncodingKey::from_secret(secret), Algorithm::HS256)
    };
    let unsigned = |algorithm: &str| {
        let token = own(&with(&header, "alg", json!(algorithm)), &claims);
        token[..=token.rfind('.').unwrap()].to_owned()
    };
    let evil = "https://evil.example";
    let of_another = with(&with(&claims, "iss", json!(evil)), "aud", json!(format!("{evil}/v1")));
    vec![
        ("an expiry of long ago", own(&header, &with(&claims, "exp", json!(now - 60)))),
        ("an issue yet to come", own(&header, &with(&claims, "iat", json!(now + 60)))),
        ("another issuer", own(&header, &with(&claims, "iss", json!(evil)))),
        (
            "a token of another service",
            signed_by_another(&with(&header, "kid", json!("theirs")), &of_another),
        ),
        ("another service's key under our name", signed_by_another(&header, &claims)),
        ("another audience", own(&header, &with(&claims, "aud", json!(format!("{evil}/v1"))))),
        ("the issuer for an audience", own(&header, &with(&claims, "aud", claims["iss"].clone()))),
        ("another type", own(&with(&header, "typ", json!("JWT")), &claims)),
        ("the type of a refresh token", own(&with(&header, "typ", json!("rt+jwt")), &claims)),
        ("no type", own(&without(&header, "typ"), &claims)),
        ("another key's name", own(&with(&header, "kid", json!("other")), &claims)),
        ("a path for a key's name", own(&with(&header, "kid", json!("../../../dev/null")), &claims)),
        ("no key's name", own(&without(&header, "kid"), &claims)),
        ("alg none", unsigned("none")),
        ("alg None", unsigned("None")),
        ("no signature", good[..=good.rfind('.').unwrap()].to_owned()),
        ("alg none and a signature", own(&with(&header, "alg", json!("none")), &claims)),
        ("HS256 with the public key", public(&stolen.public)),
        ("HS256 with the public key as JWK", public(jwk.as_bytes())),
        ("HS256 with nothing", public(b"")),
        ("HS256 with the refresh tokens' key", {
            let header = with(&header, "alg", json!("HS256"));
            signed(&header, &claims, &stolen.refresh, Algorithm::HS256)
        }),
        ("an unknown extension", own(&with(&header, "crit", json!(["b64"])), &claims)),
        ("another client", own(&header, &with(&claims, "client_id", json!("bwc_other")))),
    ]
}

#[testkit::both_engines]
async fn a_forged_token_opens_nothing(app: TestApp) {
    let world = World::new(&app).await;
    let client = app.client().await;
    let (good, _) = pair(&app, &client).await;
    let stolen = Stolen::from(&app).await;
    let asks = asks(&world).await;
    let (header, claims) = decoded(&good);
    let same = signed(&header, &claims, &stolen.access, Algorithm::ES256);
    app.get("/v1/journal/head").bearer(&same).expect(200).await;
    let keys = app.get("/.well-known/jwks.json").expect(200).await;
    let jwk = keys.json()["keys"][0].to_string();
    let now = app.db.clock.now().as_second();
    assert_shut(&app, &asks, &forged(&good, &stolen, &jwk, now)).await;
    assert_open(&world, &asks).await;
}

/// A token of another organization cannot distinguish this organization's records from missing ones.
#[testkit::both_engines]
async fn a_token_of_another_organization_opens_nothing_of_this_one(app: TestApp) {
    let (own, other) = (World::new(&app).await, World::other(&app).await);
    let asks = asks(&own).await;
    let head = own.head().await;
    // A reference of this organization is new in the other one.
    let named = |operation: &Operation| operation.template.contains('{') && !operation.declares_unknown();
    for (operation, ask) in asks.iter().filter(|(operation, _)| named(operation)) {
        let answer = other.send(ask).await;
        assert_eq!(answer.status, 404, "{operation}: {}", answer.json());
        assert_eq!(answer.text("code"), "not_found", "{operation}");
    }
    assert_eq!(own.head().await, head, "the other's requests are in the other's journal");
    assert_open(&own, &asks).await;
}

#[testkit::both_engines]
async fn every_insufficient_scope_opens_nothing(app: TestApp) {
    let world = World::new(&app).await;
    let asks = asks(&world).await;
    let mut clients: BTreeMap<String, TestClient> = BTreeMap::new();
    for (operation, _) in &asks {
        let enough = operation.scopes();
        let others = all_scopes().split(' ').filter(|it| !enough.contains(it)).collect::<Vec<_>>().join(" ");
        if let Entry::Vacant(vacant) = clients.entry(enough.join(" ")) {
            vacant.insert(app.client_with_scopes(&others).await);
        }
    }
    let before = Register::of(&app.db).await;
    for (operation, ask) in &asks {
        let Some(scope) = operation.scope() else { continue };
        let answer = ask.on(&app).bearer(&clients[&operation.scopes().join(" ")]).await;
        assert_eq!(answer.status, 403, "{operation}: {}", answer.json());
        assert_eq!(answer.text("scope"), scope, "{operation}");
    }
    assert_unchanged(&app, &before, "a token that lacks the scope").await;
    assert_open(&world, &asks).await;
}
