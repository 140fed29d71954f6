//! An organization with records of every kind, and an example of every request.
//!
//! A new operation needs a row in [`World::valid`]; a write that can be sent without changing anything also needs one
//! in [`World::unchanged`].

pub(crate) mod notes;
mod records;
mod valid;
mod valid_decisions;
mod valid_imports;
mod valid_tags;

use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::Method;
use domain::{OrgId, Role, Scope, Scopes};
use serde_json::{Value, json};
use testkit::{Answer, Request, TestApp, TestClient};
use tokio::sync::OnceCell;

use crate::all::operations::Operation;

/// A request that can be sent repeatedly.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) body: Option<Value>,
}

impl Ask {
    fn new(method: Method, path: impl Into<String>) -> Self {
        Self { method, path: path.into(), body: None }
    }

    pub(crate) fn get(path: impl Into<String>) -> Self {
        Self::new(Method::GET, path)
    }

    pub(crate) fn put(path: impl Into<String>) -> Self {
        Self::new(Method::PUT, path)
    }

    fn delete(path: impl Into<String>) -> Self {
        Self::new(Method::DELETE, path)
    }

    pub(crate) fn post(path: impl Into<String>, body: Value) -> Self {
        Self { body: Some(body), ..Self::new(Method::POST, path) }
    }

    fn patch(path: impl Into<String>, body: Value) -> Self {
        Self { body: Some(body), ..Self::new(Method::PATCH, path) }
    }

    pub(crate) fn on<'a>(&self, app: &'a TestApp) -> Request<'a> {
        let request = app.request(self.method.clone(), &self.path);
        match &self.body {
            Some(body) => request.json(body.clone()),
            None => request,
        }
    }

    pub(crate) fn with_body(&self, body: Value) -> Self {
        Self { body: Some(body), ..self.clone() }
    }

    pub(crate) fn with_path(&self, path: impl Into<String>) -> Self {
        Self { path: path.into(), ..self.clone() }
    }
}

/// An organization, and a client of it with every scope.
pub(crate) struct World<'a> {
    pub(crate) app: &'a TestApp,
    pub(crate) organization: OrgId,
    pub(crate) client: TestClient,
    /// Part of every text that is generated here.
    pub(crate) marker: String,
    serial: AtomicU64,
    person: OnceCell<String>,
}

/// Every scope, space-delimited.
pub(crate) fn all_scopes() -> String {
    Scope::ALL.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(" ")
}

impl<'a> World<'a> {
    /// The organization of the test.
    pub(crate) async fn new(app: &'a TestApp) -> Self {
        Self::of(app, app.organization, "acme").await
    }

    /// Another organization in the same database.
    pub(crate) async fn other(app: &'a TestApp) -> Self {
        let organization = app.db.organization("Globex").await;
        Self::of(app, organization, "globex").await
    }

    async fn of(app: &'a TestApp, organization: OrgId, marker: &str) -> Self {
        let client = app.client_of(organization, &all_scopes()).await;
        Self {
            app,
            organization,
            client,
            marker: marker.to_owned(),
            serial: AtomicU64::new(0),
            person: OnceCell::new(),
        }
    }

    /// Another client of the same organization.
    pub(crate) async fn colleague(&self) -> Self {
        Self::of(self.app, self.organization, "colleague").await
    }

    /// The same organization through another process.
    pub(crate) fn through<'b>(&self, app: &'b TestApp) -> World<'b> {
        World {
            app,
            organization: self.organization,
            client: self.client.clone(),
            marker: format!("{}-too", self.marker),
            serial: AtomicU64::new(0),
            person: OnceCell::new(),
        }
    }

    pub(crate) async fn send(&self, ask: &Ask) -> Answer {
        ask.on(self.app).bearer(&self.client).await
    }

    pub(crate) async fn must(&self, ask: &Ask) -> Answer {
        let answer = self.send(ask).await;
        assert!(
            (200..300).contains(&answer.status),
            "{ask:?} answered {}: {}",
            answer.status,
            String::from_utf8_lossy(&answer.bytes)
        );
        answer
    }

    /// Number and hash of the journal's last entry.
    pub(crate) async fn head(&self) -> (i64, String) {
        let answer = self.must(&Ask::get("/v1/journal/head")).await;
        (answer.json()["seq"].as_i64().unwrap(), answer.text("hash").to_owned())
    }

    /// A text that is unique to a record.
    pub(crate) fn text(&self) -> String {
        format!("{} {}", self.marker, self.serial.fetch_add(1, Ordering::SeqCst))
    }

    /// The same as part of a URL.
    fn slug(&self) -> String {
        self.text().replace(' ', "-")
    }

    async fn created(&self, ask: &Ask, id: &str) -> String {
        let answer = self.must(ask).await;
        match &answer.json()[id] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }
    }

    /// The scopes that the example needs besides the operation's: a caller can only grant or remove scopes it has.
    pub(crate) fn further_scopes(operation: &Operation) -> Scopes {
        let role = match operation.key.as_str() {
            "POST /v1/users" => Role::Viewer,
            "POST /v1/users/{}/reset-link" => {
                return Role::Viewer.scopes().union(Scope::IncidentsRestricted.into());
            }
            "PATCH /v1/users/{}" => Role::Owner,
            "DELETE /v1/users/{}" => Role::Responder,
            // The example is an acknowledgement on paper.
            "POST /v1/documents/{}/versions/{}/acknowledgements" => return Scope::DocumentsWrite.into(),
            "POST /v1/risks/report/keep" => return Scope::RisksRead.into(),
            "POST /v1/invitations" | "DELETE /v1/invitations/{}" => Role::Approver,
            key if operation.is_write() && key.contains("/v1/clients") => return Scope::TagsRead.into(),
            _ => return Scopes::default(),
        };
        role.scopes()
    }

    /// Requests that succeed without a change after `done` was sent; empty if there are none.
    pub(crate) async fn unchanged(&self, done: &Ask) -> Vec<Ask> {
        let nothing_there = json!({"ids": [999_999, "INC-99998", 0, -1]});
        let bulk = |body: Value| vec![done.with_body(json!({"ids": []})), done.with_body(body), done.clone()];
        match (done.method.as_str(), done.path.as_str()) {
            ("DELETE", "/v1/incidents") | ("POST", "/v1/incidents/bulk-delete" | "/v1/incidents/restore") => {
                bulk(nothing_there)
            }
            ("POST", "/v1/undo" | "/v1/documents/bulk" | "/v1/incidents/bulk" | "/v1/risks/bulk") => {
                vec![done.clone()]
            }
            // The other one has no duties any more.
            ("POST", path) if path.ends_with("/handover") => vec![done.clone()],
            ("PATCH", path) if path.starts_with("/v1/documents/") => vec![done.clone()],
            ("PATCH", _) => vec![done.with_body(json!({})), done.clone()],
            ("PUT", path)
                if path.ends_with("/severity") || path == "/v1/scale" || path.contains("/sources/") =>
            {
                vec![done.clone()]
            }
            _ => Vec::new(),
        }
    }
}

/// The values of the path's parameters.
pub(crate) fn path_values(template: &str, path: &str) -> Vec<String> {
    let pairs = template.split('/').zip(path.split('/'));
    pairs.filter(|(part, _)| part.starts_with('{')).map(|(_, value)| value.to_owned()).collect()
}

/// The path with these values for its parameters.
pub(crate) fn path_with(template: &str, values: &[String]) -> String {
    let mut values = values.iter();
    let parts = template.split('/').map(|part| match part.starts_with('{') {
        true => values.next().unwrap().as_str(),
        false => part,
    });
    parts.collect::<Vec<_>>().join("/")
}

/// A well-formed but unknown id of the same kind. A reference is blank: any other one is not unknown but new.
pub(crate) fn unknown(id: &str) -> String {
    match id {
        _ if id == "siem" || id.starts_with("ref-") => "%20".to_owned(),
        _ if id.starts_with("INC-") => "INC-987654".to_owned(),
        _ if id.starts_with("RSK-") => "RSK-987654".to_owned(),
        _ if id.starts_with("bwc_") => "bwc_000000000000000000000000".to_owned(),
        _ if id.parse::<i64>().is_ok() => "987654".to_owned(),
        _ if id.len() == 36 && domain::UserId::parse(id).is_some() => {
            "00000000-0000-7000-8000-000000000000".to_owned()
        }
        _ => "no-such-thing".to_owned(),
    }
}
