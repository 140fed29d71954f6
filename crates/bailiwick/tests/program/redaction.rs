//! What was redacted is nowhere any more: in no file of the database, in no log, in no backup made afterwards.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use reqwest::Method;
use serde_json::{Value, json};
use testkit::{EmptyDatabase, Engine, both_engines, until};

use crate::service::{Api, Installation};

const SECRET: &str = "correct-horse-zyzzyva-staple";

static KEYS: AtomicU32 = AtomicU32::new(0);

async fn send(api: &Api, method: Method, path: &str, body: Value) -> Value {
    // With a key, so that the response is kept.
    let key = format!("k{}", KEYS.fetch_add(1, Ordering::Relaxed));
    let request = api.request(method, path).json(&body).header("idempotency-key", key);
    let answer = request.send().await.unwrap();
    let (status, text) = (answer.status(), answer.text().await.unwrap());
    assert!(status.is_success(), "{path}: {status} {text}");
    serde_json::from_str(&text).unwrap_or_default()
}

async fn read(api: &Api, path: &str) -> String {
    let answer = api.request(Method::GET, path).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{path}");
    answer.text().await.unwrap()
}

/// The files in a folder and below that have the text.
fn files_with(folder: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_with(&path, text));
        } else if std::fs::read(&path).unwrap().windows(text.len()).any(|bytes| bytes == text.as_bytes()) {
            found.push(path.display().to_string());
        }
    }
    found
}

#[both_engines]
async fn a_redacted_text_is_in_no_file_and_the_journal_verifies(database: EmptyDatabase) {
    let installation = Installation::at(&database).with("BAILIWICK_LOG_LEVEL", "trace");
    let organization = installation.organization();
    let scopes = "incidents:read incidents:write incidents:delete journal:read";
    let credentials = installation.client(&organization, scopes);
    let service = installation.serve();
    let api = service.sign_in(&credentials).await;
    let body = json!({"title": "Phishing", "description": format!("The password is {SECRET}.")});
    let made = send(&api, Method::POST, "/v1/incidents", body).await;
    let path = format!("/v1/incidents/{}", made["id"].as_str().unwrap());
    for number in 0..30 {
        let long = format!("{number} {} {SECRET}", "x".repeat(number * 400));
        send(&api, Method::PATCH, &path, json!({"description": long})).await;
    }
    let take = json!({"to": "investigating", "reason": format!("{SECRET} was used.")});
    send(&api, Method::POST, &format!("{path}/transitions"), take).await;
    if database.engine() == Engine::Sqlite {
        assert_ne!(files_with(&installation.data, SECRET), [""; 0]);
    }
    let redaction = json!({"text": SECRET, "reason": "A password was pasted."});
    let left = send(&api, Method::POST, &format!("{path}/redact"), redaction).await;
    assert!(left["description"].as_str().unwrap().ends_with(" [redacted]"), "{left}");
    assert_eq!(left["status_reason"], "[redacted] was used.");
    let timeline = format!("{path}/timeline?limit=200");
    let earlier = format!("{path}?as_of_seq=4");
    for path in [&path, &timeline, &earlier, "/v1/journal?limit=200"] {
        assert!(!read(&api, path).await.contains(SECRET), "{path}");
    }
    assert!(!service.log().contains(SECRET));
    if database.engine() == Engine::Sqlite {
        until("no file has it", async || files_with(&installation.data, "zyzzyva").is_empty()).await;
        let to = tempfile::tempdir().unwrap();
        installation.json(&["backup", "--json", "--to", to.path().to_str().unwrap()]);
        assert_eq!(files_with(to.path(), "zyzzyva"), [""; 0]);
    }
    installation.verify();
}
