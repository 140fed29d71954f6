//! The previous release beside the present one: two programs on one database while it is upgraded.
//!
//! `scripts/beside` builds the release before and runs this.

use std::path::PathBuf;
use std::sync::Arc;

use reqwest::Method;
use serde_json::{Value, json};
use testkit::{EmptyDatabase, both_engines};

use crate::load::{Load, Promised};
use crate::service::{Api, Installation};

const SCOPES: &str = "incidents:read incidents:write risks:read risks:write documents:read documents:write tags:read \
                      tags:write organizations:read";

fn previous() -> PathBuf {
    let path = std::env::var_os("BAILIWICK_PREVIOUS");
    PathBuf::from(path.expect("BAILIWICK_PREVIOUS names no program: run scripts/beside"))
}

/// Sends a request with an `Idempotency-Key`; the answer's status, its body, and whether it is a repetition.
async fn keyed(api: &Api, path: &str, body: &Value, key: &str) -> (u16, Value, bool) {
    let request = api.request(Method::POST, path).json(body).header("idempotency-key", key);
    let answer = request.send().await.unwrap();
    let repeated = answer.headers().contains_key("idempotent-replayed");
    (answer.status().as_u16(), answer.json().await.unwrap(), repeated)
}

async fn made(api: &Api, path: &str, body: Value) -> Value {
    let answer = api.request(Method::POST, path).json(&body).send().await.unwrap();
    let (status, body) = (answer.status().as_u16(), answer.json::<Value>().await.unwrap());
    assert!((200..300).contains(&status), "{path}: {status} {body}");
    body
}

/// Makes one of each noun through `here` and changes it through `there`; both read the same afterwards.
async fn hand_over(here: &Api, there: &Api, name: &str) {
    let rating = json!({"likelihood": 4, "impact": 5});
    let tag = made(here, "/v1/tags", json!({"name": name})).await;
    let risk = made(here, "/v1/risks", json!({"title": name, "description": "", "inherent": rating, "target": {"likelihood": 1, "impact": 1}})).await;
    let risk = format!("/v1/risks/{}", risk["id"].as_str().unwrap());
    made(there, &format!("{risk}/evaluations"), json!({"likelihood": 3, "impact": 3})).await;
    made(there, &format!("{risk}/tags"), json!({"tag_id": tag["id"]})).await;
    let item = json!({"id": "contact", "kind": "text", "label": "Contact", "required": false, "default": "", "max_length": 100, "multiline": false});
    made(here, "/v1/documents", json!({"slug": name, "title": name, "description": "", "items": [item]}))
        .await;
    let document = format!("/v1/documents/{name}");
    let edit = json!([{"node_id": "contact", "node_type": "text", "value": "Ada"}]);
    let answer = there.request(Method::PATCH, &document).json(&edit).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{document}");
    for path in ["/v1/tags", "/v1/risks", &risk, "/v1/documents", &document, "/v1/incidents/INC-0001"] {
        let (one, other) = (here.read(path).await, there.read(path).await);
        let (older, newer) =
            if one.to_string().len() <= other.to_string().len() { (one, other) } else { (other, one) };
        assert_contains(&newer, &older, path);
    }
}

/// A newer release may have added members; what both know is the same.
fn assert_contains(newer: &Value, older: &Value, at: &str) {
    match (newer, older) {
        (Value::Object(newer), Value::Object(older)) => {
            for (name, value) in older {
                assert_contains(newer.get(name).unwrap_or(&Value::Null), value, &format!("{at}/{name}"));
            }
        }
        (Value::Array(newer), Value::Array(older)) => {
            assert_eq!(newer.len(), older.len(), "{at}");
            newer.iter().zip(older).for_each(|(newer, older)| assert_contains(newer, older, at));
        }
        _ => assert_eq!(newer, older, "{at}"),
    }
}

#[both_engines]
#[ignore = "takes the program of the release before: scripts/beside"]
async fn the_release_before_works_on_while_the_present_one_takes_over(database: EmptyDatabase) {
    let new = Installation::at(&database);
    let old = new.run_by(&previous());
    let organization = old.organization();
    let credentials = old.client(&organization, SCOPES);
    let mut old_service = old.serve();
    let at_old = old_service.sign_in(&credentials).await;
    let promised = Arc::new(Promised::default());
    let load_on_old = Load::start(&at_old, 4, &promised);
    promised.until(20).await;

    // It brings the schema up to date under load, and takes the old one's tokens.
    let new_service = new.serve();
    let at_new = at_old.moved_to(&new_service);
    let load_on_new = Load::start(&at_new, 4, &promised);
    promised.until(promised.count() + 40).await;

    // And the other way round.
    let newer = new_service.sign_in(&credentials).await;
    hand_over(&at_old, &newer, "old-to-new").await;
    hand_over(&newer, &newer.moved_to(&old_service), "new-to-old").await;
    for (first, second, key) in [(&at_old, &at_new, "by-old"), (&at_new, &at_old, "by-new")] {
        let body = json!({"title": key, "description": ""});
        let (status, incident, repeated) = keyed(first, "/v1/incidents", &body, key).await;
        assert_eq!((status, repeated), (201, false), "{incident}");
        let retry = keyed(second, "/v1/incidents", &body, key).await;
        assert_eq!(retry, (201, incident, true), "{key}");
    }

    // The old one is started again on the newer schema.
    load_on_old.stop().await;
    old_service.terminate();
    assert_eq!(old_service.wait(), Some(0), "{}", old_service.log());
    let old_service = old.serve();
    let at_old = at_old.moved_to(&old_service);
    let load_on_old = Load::start(&at_old, 4, &promised);
    promised.until(promised.count() + 20).await;
    load_on_old.stop().await;
    load_on_new.stop().await;

    let refused = promised.take_refused();
    assert!(refused.is_empty(), "{refused:?}");
    let found = at_new.incidents().await;
    promised.check(&found);
    assert_eq!(at_old.incidents().await, found);
    assert_eq!(found.len(), promised.count() + 2, "there is a record that was not acknowledged");
    for program in [&old, &new] {
        let verified = program.run(&["journal", "verify"]);
        assert_eq!(verified.code, Some(0), "{}{}", verified.out, verified.err);
    }
}
