//! A change of many records that `kill -9` cuts.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::until;

use crate::service::{Api, Declared, Installation};

/// So many, each with so many bytes of text, are several writes: a write changes about 2 MiB.
const INCIDENTS: usize = 150;
const BYTES: usize = 60_000;

/// Changes the title of every incident, under a key.
async fn change_all(api: &Api) -> Option<Value> {
    let body = json!({"filter": {}, "operation": {"type": "update", "title": "new"}});
    let request = api.request(Method::POST, "/v1/incidents/bulk").header("idempotency-key", "all");
    let answer = request.json(&body).send().await.ok()?;
    let (status, body) = (answer.status(), answer.json::<Value>().await.ok()?);
    assert_eq!(status, 200, "{body}");
    Some(body)
}

async fn changed(api: &Api) -> usize {
    api.incidents().await.iter().filter(|(_, title)| title == "new").count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bulk_change_that_was_killed_is_sound_and_sent_again_it_changes_the_rest() {
    let installation = Installation::new();
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    let service = installation.serve();
    let api = service.sign_in(&credentials).await;
    for _ in 0..INCIDENTS {
        let declared = api.declare("old", &"x".repeat(BYTES)).await;
        assert!(matches!(declared, Declared::Done(_)), "{declared:?}");
    }
    let running = tokio::spawn({
        let api = api.clone();
        async move { change_all(&api).await }
    });
    // The first of its writes is done: each one is a whole for every reader.
    until("something is changed", async || changed(&api).await > 0).await;
    service.kill();
    let answer = running.await.unwrap();
    let service = installation.serve();
    let api = api.moved_to(&service);
    let before = changed(&api).await;
    assert!(before > 0 && (answer.is_none() || before == INCIDENTS), "{before}: {answer:?}");
    let again = change_all(&api).await.unwrap();
    let count = |outcome: &str| {
        let items = again["results"].as_array().unwrap();
        items.iter().filter(|item| item["outcome"] == outcome).count()
    };
    // The last write keeps the answer with the key.
    if before < INCIDENTS {
        assert_eq!((count("unchanged"), count("changed")), (before, INCIDENTS - before), "{again}");
    }
    assert_eq!(changed(&api).await, INCIDENTS);
    drop(service);
    installation.verify();
}
