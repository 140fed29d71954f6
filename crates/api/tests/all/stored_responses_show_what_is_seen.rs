//! A response that is stored under an `Idempotency-Key` shows nothing that its caller may not see when it is repeated:
//! no incident that is hidden by now, no record that is gone, and no text that was redacted.

use std::collections::BTreeSet;

use axum::http::Method;
use db::Tx;
use domain::{IncidentNumber, Scope};
use serde_json::{Value, json};
use testkit::{Answer, TestApp};

use crate::all::operations::{self, Operation};
use crate::all::world::{Ask, World};

/// A write that was done under a key.
struct Done {
    ask: Ask,
    key: String,
    first: Answer,
}

impl Done {
    async fn by(world: &World<'_>, operation: &Operation) -> Self {
        let (ask, key) = (world.valid(operation).await, operation.key.replace(' ', ""));
        let first = ask.on(world.app).bearer(&world.client).idempotency_key(&key).await;
        assert!((200..300).contains(&first.status), "{operation}: {} {}", first.status, first.json());
        Self { ask, key, first }
    }

    async fn repeated(&self, app: &TestApp, token: &str) -> Answer {
        self.ask.on(app).bearer(token).idempotency_key(&self.key).await
    }

    /// The path of the record that the response shows.
    fn path(&self) -> &str {
        self.first.header("location").unwrap_or(&self.ask.path)
    }

    /// The incidents that the path and the response name.
    fn incidents(&self) -> BTreeSet<IncidentNumber> {
        let text = format!("{} {}", self.path(), String::from_utf8_lossy(&self.first.bytes));
        let ids = text.split(|it: char| !it.is_ascii_alphanumeric() && it != '-');
        ids.filter(|id| *id != "INC-999999").filter_map(IncidentNumber::parse_listed).collect()
    }

    fn is_about_an_incident(&self) -> bool {
        self.path().starts_with("/v1/incidents/INC-") || self.path().starts_with("/v1/sources/")
    }

    fn shows_something(&self) -> bool {
        !self.first.bytes.is_empty()
    }
}

fn is_same(repeated: &Answer, first: &Answer) -> bool {
    repeated.header("idempotent-replayed") == Some("true")
        && (repeated.status, &repeated.bytes) == (first.status, &first.bytes)
}

fn said(answer: &Answer) -> (u16, String) {
    (answer.status, answer.text("code").to_owned())
}

/// Another token of the world's client, without `incidents:restricted`.
async fn narrow_token(world: &World<'_>) -> String {
    let scopes = Scope::ALL.iter().filter(|scope| **scope != Scope::IncidentsRestricted);
    let scopes: Vec<&str> = scopes.map(|scope| scope.as_str()).collect();
    let body = json!({"grant_type": "client_credentials", "client_id": world.client.id,
        "client_secret": world.client.secret, "scope": scopes.join(" ")});
    world.app.post("/v1/oauth/token").json(body).expect(200).await.text("access_token").to_owned()
}

/// Makes these incidents restricted, or open, and somebody else the one who declared them.
async fn restrict(world: &World<'_>, incidents: &BTreeSet<IncidentNumber>, is_restricted: bool) {
    let (organization, incidents) = (world.organization, incidents.clone());
    let sql = format!(
        "UPDATE incident SET restricted = {}, opened_by_id = 'bwc_another' WHERE organization = $1 AND number = $2",
        if is_restricted { "TRUE" } else { "NULL" }
    );
    let work = async move |tx: &mut Tx| {
        for incident in &incidents {
            tx.execute(&sql, &[&organization.uuid(), &incident.number()]).await?;
        }
        Ok::<_, store::Error>(())
    };
    world.app.db.write(organization, work).await.unwrap();
}

by_noun!(operations::writes, a_repetition_names_no_incident_that_is_hidden_by_now);
async fn a_repetition_names_no_incident_that_is_hidden_by_now(app: TestApp, writes: Vec<Operation>) {
    let world = World::new(&app).await;
    let token = narrow_token(&world).await;
    for operation in writes {
        let done = Done::by(&world, &operation).await;
        let incidents = done.incidents();
        restrict(&world, &incidents, true).await;
        let repeated = done.repeated(&app, &token).await;
        if repeated.status == 403 {
            // The first request needed the scope that the second token lacks.
            assert_eq!(operation.key, "POST /v1/users/{}/reset-link");
            continue;
        }
        if incidents.is_empty() || !done.shows_something() {
            assert!(is_same(&repeated, &done.first), "{operation}: {}", repeated.json());
        } else if done.is_about_an_incident() {
            assert_eq!(said(&repeated), (404, "not_found".to_owned()), "{operation}");
        } else {
            assert_eq!(said(&repeated), (409, "response_not_kept".to_owned()), "{operation}");
        }
        // The first token shows more, and so does the second one later.
        assert!(is_same(&done.repeated(&app, world.client.as_ref()).await, &done.first), "{operation}");
        restrict(&world, &incidents, false).await;
        assert!(is_same(&done.repeated(&app, &token).await, &done.first), "{operation}");
    }
}

/// The request that deletes the record that the response shows, or what it belongs to; none if there is no such request.
fn deletion(done: &Done) -> Option<Ask> {
    let delete = |path: String| Ask { method: Method::DELETE, path, body: None };
    let delete_incidents = |ids: Value| delete("/v1/incidents".to_owned()).with_body(json!({"ids": ids}));
    let parts: Vec<&str> = done.path().trim_start_matches("/v1/").split('/').collect();
    match parts.as_slice() {
        [noun @ ("incidents" | "risks"), id, part @ ("tasks" | "notes"), number, ..] => {
            Some(delete(format!("/v1/{noun}/{id}/{part}/{number}")))
        }
        ["incidents", id, ..] if id.starts_with("INC-") => Some(delete_incidents(json!([id]))),
        ["sources", ..] => {
            let ids: Vec<String> = done.incidents().iter().map(ToString::to_string).collect();
            Some(delete_incidents(json!(ids)))
        }
        ["risks", id, ..] if id.starts_with("RSK-") => Some(delete(format!("/v1/risks/{id}"))),
        ["users", id, ..] => Some(delete(format!("/v1/users/{id}?duties=keep"))),
        [noun @ ("views" | "invitations"), id] => Some(delete(format!("/v1/{noun}/{id}"))),
        _ => None,
    }
}

by_noun!(operations::writes, a_repetition_shows_no_record_that_is_gone);
async fn a_repetition_shows_no_record_that_is_gone(app: TestApp, writes: Vec<Operation>) {
    let world = World::new(&app).await;
    for operation in writes {
        let done = Done::by(&world, &operation).await;
        let Some(deletion) = deletion(&done) else { continue };
        if !done.shows_something() {
            continue;
        }
        world.must(&deletion).await;
        let repeated = done.repeated(&app, world.client.as_ref()).await;
        assert_eq!(said(&repeated), (404, "not_found".to_owned()), "{operation}");
    }
}

by_noun!(operations::writes, a_repetition_shows_no_text_that_was_redacted);
async fn a_repetition_shows_no_text_that_was_redacted(app: TestApp, writes: Vec<Operation>) {
    let world = World::new(&app).await;
    for operation in writes {
        let done = Done::by(&world, &operation).await;
        let incidents = done.incidents();
        for incident in &incidents {
            let path = format!("/v1/incidents/{incident}");
            app.patch(&path).bearer(&world.client).json(json!({"description": "zyzzyva"})).expect(200).await;
            let redaction = json!({"text": "zyzzyva", "reason": "It was pasted."});
            app.post(&format!("{path}/redact")).bearer(&world.client).json(redaction).expect(200).await;
        }
        let head = world.head().await;
        let repeated = done.repeated(&app, world.client.as_ref()).await;
        if incidents.is_empty() || !done.shows_something() {
            assert!(is_same(&repeated, &done.first), "{operation}: {}", repeated.json());
        } else {
            assert_eq!(said(&repeated), (409, "response_not_kept".to_owned()), "{operation}");
        }
        assert_eq!(world.head().await, head, "{operation}: it is not done again");
    }
}
