//! Every algorithm of access tokens: signed here, verified by another implementation, and protected against forgery.

use auth::Settings;
use auth::keys::AccessTokenAlgorithm::{self, Ed25519, Es256, Rs256};
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Validation, crypto};
use testkit::TestDb;

use super::*;

fn settings(algorithm: AccessTokenAlgorithm) -> Settings {
    let tokens = Settings::new("http://bailiwick.test");
    Settings { access_token_algorithm: algorithm, failures_before_wait: 0, ..tokens }
}

async fn start(db: TestDb, algorithm: AccessTokenAlgorithm) -> TestApp {
    let http = http::Settings { rate_limit_per_minute: 0, ..http::Settings::default() };
    TestApp::start_with(db, http, settings(algorithm)).await
}

async fn key_set(app: &TestApp) -> Value {
    app.get("/.well-known/jwks.json").expect(200).await.json().clone()
}

/// Verifies a token as a gateway would, from the key set alone.
async fn checked_elsewhere(app: &TestApp, token: &str) -> Value {
    let keys: JwkSet = serde_json::from_value(key_set(app).await).unwrap();
    let header = jsonwebtoken::decode_header(token).unwrap();
    let jwk = keys.find(&header.kid.unwrap()).expect("the key is published");
    let mut validation = Validation::new(header.alg);
    validation.set_audience(&["http://bailiwick.test/v1"]);
    validation.set_issuer(&["http://bailiwick.test"]);
    validation.set_required_spec_claims(&["iss", "aud", "exp", "sub"]);
    // The clock of the test is not the machine's.
    validation.validate_exp = false;
    let key = DecodingKey::from_jwk(jwk).unwrap();
    jsonwebtoken::decode::<Value>(token, &key, &validation).unwrap().claims
}

async fn signs_and_verifies(db: TestDb, algorithm: AccessTokenAlgorithm, name: &str, kty: &str) {
    let app = start(db, algorithm).await;
    let client = app.client().await;
    assert!(is_taken(&app, &client.token).await);
    assert_eq!(decoded(&client.token).0["alg"], name);
    assert_eq!(checked_elsewhere(&app, &client.token).await, decoded(&client.token).1);
    let keys = key_set(&app).await;
    assert_eq!(keys["keys"].as_array().unwrap().len(), 2, "the active one and the next");
    for key in keys["keys"].as_array().unwrap() {
        assert_eq!((&key["alg"], &key["kty"], &key["use"]), (&json!(name), &json!(kty), &json!("sig")));
    }
    forgeries_are_refused(&app, &client.token).await;
}

#[testkit::both_engines]
async fn es256_signs_and_others_verify(db: TestDb) {
    signs_and_verifies(db, Es256, "ES256", "EC").await;
}

#[testkit::both_engines]
async fn rs256_signs_and_others_verify(db: TestDb) {
    signs_and_verifies(db, Rs256, "RS256", "RSA").await;
}

#[testkit::both_engines]
async fn ed25519_signs_and_others_verify(db: TestDb) {
    signs_and_verifies(db, Ed25519, "EdDSA", "OKP").await;
}

/// Public data used as a shared secret; no signature; the signature of another key.
async fn forgeries_are_refused(app: &TestApp, good: &str) {
    let (header, claims) = decoded(good);
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let with = |member: &str, value: &str| {
        let mut header = header.clone();
        header[member] = value.into();
        header
    };
    let keys = key_set(app).await;
    let key = keys["keys"].as_array().unwrap().iter().find(|key| key["kid"] == header["kid"]).unwrap();
    let mut secrets = vec![key.to_string().into_bytes(), keys.to_string().into_bytes(), Vec::new()];
    for member in ["x", "y", "n", "e", "kid"] {
        let Some(text) = key[member].as_str() else { continue };
        secrets.extend([text.as_bytes().to_vec(), URL_SAFE_NO_PAD.decode(text).unwrap()]);
    }
    let signed = |header: &Value, key: &EncodingKey, algorithm: Algorithm| {
        let message = format!("{}.{}", part(header), part(&claims));
        let signature = crypto::sign(message.as_bytes(), key, algorithm).unwrap();
        format!("{message}.{signature}")
    };
    for secret in &secrets {
        let secret = EncodingKey::from_secret(secret);
        for header in [with("alg", "HS256"), header.clone()] {
            assert!(!is_taken(app, &signed(&header, &secret, Algorithm::HS256)).await, "{header}");
        }
    }
    let (message, signature) = good.rsplit_once('.').unwrap();
    let claims_part = message.split_once('.').unwrap().1;
    for alg in
        ["none", "None", "HS256", "HS384", "ES256", "ES384", "RS256", "RS512", "PS256", "EdDSA", "Ed25519"]
    {
        if header["alg"] == alg {
            continue;
        }
        for signature in ["", signature] {
            let forged = format!("{}.{claims_part}.{signature}", part(&with("alg", alg)));
            assert!(!is_taken(app, &forged).await, "{forged}");
        }
    }
    // A valid foreign key under the name of our key, and under its own.
    let foreign_key = foreign_key();
    for header in [with("alg", "EdDSA"), with("kid", "mine"), header.clone()] {
        assert!(!is_taken(app, &signed(&header, &foreign_key, Algorithm::EdDSA)).await, "{header}");
    }
    // The next key verifies, but only what it signed.
    let other = keys["keys"].as_array().unwrap().iter().find(|key| key["kid"] != header["kid"]).unwrap();
    let header = with("kid", other["kid"].as_str().unwrap());
    assert!(!is_taken(app, &format!("{}.{claims_part}.{signature}", part(&header))).await);
    assert!(is_taken(app, good).await);
}

fn foreign_key() -> EncodingKey {
    let pair = aws_lc_rs::signature::Ed25519KeyPair::generate().unwrap();
    EncodingKey::from_ed_der(pair.to_pkcs8().unwrap().as_ref())
}

#[testkit::both_engines]
async fn another_algorithm_takes_over_at_the_next_start_and_all_tokens_stay_valid(db: TestDb) {
    let app = start(db, Es256).await;
    let client = app.client().await;
    let (old, refreshable) = pair(&app, &client).await;
    let newer = app.beside_with_tokens(2, settings(Rs256)).await;
    let (new, _) = pair(&newer, &client).await;
    assert_eq!(decoded(&new).0["alg"], "RS256");
    for process in [&app, &newer] {
        assert!(is_taken(process, &old).await && is_taken(process, &new).await);
        checked_elsewhere(process, &new).await;
    }
    checked_elsewhere(&newer, &old).await;
    tokens(&refresh(&newer, &refreshable).await);
    let algorithms: Vec<_> = key_set(&newer).await["keys"]
        .as_array()
        .unwrap()
        .iter()
        .map(|key| key["alg"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(algorithms, ["ES256", "RS256", "RS256"], "the retired one, and two of the new");
    // The older process follows, and its upkeep does not revert to its own setting.
    app.app().auth().keys.maintain().await.unwrap();
    assert_eq!(decoded(&pair(&app, &client).await.0).0["alg"], "RS256");
    assert_eq!(count(&app, "signing_key").await, 5);
}
