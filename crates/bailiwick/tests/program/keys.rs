//! The signing keys from the command line, while the service runs.

use serde_json::Value;
use testkit::{EmptyDatabase, both_engines, until};

use crate::service::Installation;

/// 32 bytes in base64.
const ANOTHER: &str = "YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXowMTIzNDU=";

fn lines(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// `purpose state algorithm` of each key, sorted.
fn kinds(out: &str) -> Vec<String> {
    let text = |key: &Value, member: &str| key[member].as_str().unwrap().to_owned();
    let kind = |key: &Value| ["purpose", "state", "algorithm"].map(|member| text(key, member)).join(" ");
    let mut kinds: Vec<_> = lines(out).iter().map(kind).collect();
    kinds.sort();
    kinds
}

fn kid_of_active(out: &str) -> String {
    let keys = lines(out);
    let active = keys.iter().find(|key| key["purpose"] == "access" && key["state"] == "active").unwrap();
    active["kid"].as_str().unwrap().to_owned()
}

async fn published(base: &str) -> String {
    reqwest::get(format!("{base}/.well-known/jwks.json")).await.unwrap().text().await.unwrap()
}

#[both_engines]
async fn a_rotation_reaches_the_running_service_and_ends_no_token(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    let service = installation.serve();
    let api = service.sign_in(&credentials).await;
    let before = installation.run(&["keys", "list", "--json"]);
    assert_eq!(
        kinds(&before.out),
        ["access active ES256", "access next ES256", "refresh active HS256", "refresh next HS256"]
    );

    let rotated = installation.run(&["keys", "rotate", "--algorithm", "RS256", "--json"]);
    assert_eq!(rotated.code, Some(0), "{}", rotated.err);
    assert_eq!(
        kinds(&rotated.out),
        [
            "access active RS256",
            "access next RS256",
            "access retired ES256",
            "refresh active HS256",
            "refresh next HS256",
            "refresh retired HS256"
        ]
    );
    let kid = kid_of_active(&rotated.out);
    until("the service knows the key", async || published(&service.base).await.contains(&kid)).await;
    api.declare("a token of the old key", "").await;
    service.sign_in(&credentials).await.declare("a token of the new key", "").await;

    let text = installation.run(&["keys", "list"]);
    assert!(text.out.contains("retired") && text.out.contains(&kid), "{}", text.out);
    let verified = installation.run(&["journal", "verify"]);
    assert_eq!(verified.code, Some(0), "{}{}", verified.out, verified.err);
}

#[both_engines]
async fn leaked_keys_are_replaced_and_their_tokens_end(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    let credentials = installation.client(&installation.organization(), "incidents:read");
    let service = installation.serve();
    let api = service.sign_in(&credentials).await;
    api.incidents().await;
    let replaced = installation.run(&["keys", "rotate", "--end-tokens", "--json"]);
    assert_eq!(kinds(&replaced.out).len(), 4, "{}", replaced.out);
    api.until_refused().await;
    service.sign_in(&credentials).await.incidents().await;
}

#[both_engines]
async fn a_rotation_with_another_master_key_changes_nothing(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    installation.organization();
    let none = installation.run(&["keys", "rotate"]);
    assert_eq!(none.code, Some(1), "{}", none.out);
    assert!(none.err.contains("no keys yet"), "{}", none.err);
    drop(installation.serve());
    let before = installation.run(&["keys", "list", "--json"]).out;
    let other = Installation::at(&database).with("BAILIWICK_MASTER_KEY", ANOTHER);
    let done = other.run(&["keys", "rotate"]);
    assert_eq!(done.code, Some(1), "{}", done.out);
    assert!(done.err.contains("the master key does not open"), "{}", done.err);
    let elsewhere = Installation::at(&database);
    let hidden = installation.data.with_extension("hidden");
    std::fs::rename(installation.data.join("master.key"), &hidden).unwrap();
    let done = elsewhere.run(&["keys", "rotate"]);
    assert_eq!(done.code, Some(1), "{}", done.out);
    assert!(done.err.contains("is not there"), "{}", done.err);
    assert!(!elsewhere.data.join("master.key").exists(), "another master key was made");
    std::fs::rename(&hidden, installation.data.join("master.key")).unwrap();
    let done = installation.run(&["keys", "rotate", "--algorithm", "HS256"]);
    assert_eq!(done.code, Some(1), "{}", done.out);
    assert!(done.err.contains("--algorithm"), "{}", done.err);
    assert_eq!(installation.run(&["keys", "list", "--json"]).out, before);
}
