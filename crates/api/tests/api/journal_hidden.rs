//! Journal entries that name an incident which the reader does not see, wherever in their payload.

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestClient};

async fn incident(app: &TestApp, client: &TestClient, title: &str) -> String {
    let body = json!({"title": title, "description": "", "detected_date": "2026-02-01T09:00:00Z"});
    app.post("/v1/incidents").bearer(client).json(body).expect(201).await.text("id").to_owned()
}

/// The entries about an incident as a reader gets them: kind, and whether there is a payload.
async fn entries(app: &TestApp, reader: impl AsRef<str>, id: &str) -> Vec<(String, bool)> {
    let path = format!("/v1/journal?subject_kind=incident&subject_id={id}&limit=200");
    let list = app.get(&path).bearer(reader).expect(200).await;
    let row = |row: &Value| (row["kind"].as_str().unwrap().to_owned(), !row["payload"].is_null());
    list.json()["data"].as_array().unwrap().iter().map(row).collect()
}

#[testkit::both_engines]
async fn a_redaction_does_not_name_an_incident_that_its_reader_does_not_see(app: TestApp) {
    let client = app.client().await;
    let (secret, one) = (incident(&app, &client, "Takeover").await, incident(&app, &client, "Noise").await);
    let linked = incident(&app, &client, "Phishing").await;
    let duplicate = json!({"to": "dismissed", "resolution_reason": "duplicate", "duplicate_of": secret,
        "reason": "The same as hunter2."});
    app.post(&format!("/v1/incidents/{one}/transitions")).bearer(&client).json(duplicate).expect(200).await;
    let link = json!({"to": {"type": "incident", "id": secret}, "kind": "related"});
    app.post(&format!("/v1/incidents/{linked}/links")).bearer(&client).json(link).expect(201).await;
    let patch = json!({"restricted": true});
    app.patch(&format!("/v1/incidents/{secret}")).bearer(&client).json(patch).expect(200).await;
    for id in [&one, &linked] {
        app.db.clock.advance_seconds(60);
        let text = if id == &one { "hunter2" } else { "Phishing" };
        let redact = json!({"text": text, "reason": "A secret."});
        app.post(&format!("/v1/incidents/{id}/redact")).bearer(&client).json(redact).expect(200).await;
    }

    let reader = app.person("Vera", Role::Auditor).await;
    for id in [&one, &linked] {
        let kinds = entries(&app, &client, id).await;
        let told = entries(&app, &reader, id).await;
        let named = ["incident.status_changed", "incident.link_added"];
        for ((kind, is_shown), (_, is_shown_to_all)) in told.iter().zip(&kinds) {
            let names = named.contains(&kind.as_str()) || (kind == "incident.redacted" && id == &one);
            assert!(*is_shown == (*is_shown_to_all && !names), "{id} {told:?}");
        }
        assert!(kinds.iter().any(|(kind, is_shown)| kind == "incident.redacted" && *is_shown), "{kinds:?}");
    }
}
