//! An organization with records of every kind, and an example of every request.
//!
//! A new operation needs a row in [`World::valid`]; a write that can be sent without changing anything also needs one
//! in [`World::unchanged`]. It is long because it has a row for each operation.

pub(crate) mod notes;

use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::Method;
use domain::{OrgId, Role, Scope, Scopes};
use serde_json::{Value, json};
use testkit::{Answer, Request, TestApp, TestClient};
use tokio::sync::OnceCell;

use crate::operations::Operation;

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

    fn get(path: impl Into<String>) -> Self {
        Self::new(Method::GET, path)
    }

    fn delete(path: impl Into<String>) -> Self {
        Self::new(Method::DELETE, path)
    }

    fn post(path: impl Into<String>, body: Value) -> Self {
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

    pub(crate) async fn user(&self) -> String {
        let body =
            json!({"name": self.text(), "email": format!("{}@x.org", self.slug()), "role": "responder"});
        self.created(&Ask::post("/v1/users", body), "id").await
    }

    /// A user with a duty of every kind.
    async fn busy_user(&self) -> String {
        let user = self.user().await;
        let incident = self.incident().await;
        let path = format!("/v1/incidents/{incident}");
        self.must(&Ask::patch(&path, json!({"assigned_to": user}))).await;
        self.must(&Ask::post(format!("{path}/tasks"), json!({"title": self.text(), "owner": user}))).await;
        self.must(&Ask::patch(format!("{path}/review"), json!({"owner": user}))).await;
        let risk = self.risk().await;
        self.must(&Ask::patch(format!("/v1/risks/{risk}"), json!({"owner": user}))).await;
        let mut document = self.new_document().await;
        document["owner"] = json!(user);
        self.must(&Ask::post("/v1/documents", document)).await;
        user
    }

    /// A new user takes over these duties.
    async fn handover(&self, which: &[&str]) -> Ask {
        let path = format!("/v1/users/{}/handover", self.busy_user().await);
        Ask::post(path, json!({"to": self.user().await, "which": which}))
    }

    /// The assignee of all records.
    async fn person(&self) -> &str {
        self.person.get_or_init(|| self.user()).await
    }

    fn new_invitation(&self) -> Value {
        json!({"name": self.text(), "email": format!("{}@x.org", self.slug()), "role": "approver"})
    }

    async fn invitation(&self) -> String {
        self.created(&Ask::post("/v1/invitations", self.new_invitation()), "id").await
    }

    async fn new_incident(&self) -> Value {
        json!({
            "title": self.text(), "description": self.text(), "source": self.text(), "assigned_to": self.person().await,
            "occurred_date": "2026-02-01T09:00:00Z",
            // Incidents are filtered and sorted by it.
            "detected_date": format!("2026-02-02T09:00:00.{:06}Z", self.serial.fetch_add(1, Ordering::SeqCst)),
            "responded_date": "2026-02-03T09:00:00Z", "contained_date": "2026-02-04T09:00:00Z",
        })
    }

    pub(crate) async fn incident(&self) -> String {
        self.created(&Ask::post("/v1/incidents", self.new_incident().await), "id").await
    }

    /// Creates an incident and a tag on it.
    pub(crate) async fn tagged_incident(&self) -> (String, String) {
        let (incident, tag) = (self.incident().await, self.tag().await);
        self.must(&Ask::post(format!("/v1/incidents/{incident}/tags"), json!({"tag_id": tag}))).await;
        (incident, tag)
    }

    /// Creates an incident with a link to another one, a risk with a link to it and a document; returns the three ids.
    async fn linked(&self) -> (String, String, String) {
        let (incident, risk, document) = (self.incident().await, self.risk().await, self.document().await);
        let other = self.incident().await;
        for (kind, to) in [
            ("related", json!({"type": "incident", "id": other})),
            ("threatens", json!({"type": "risk", "id": risk})),
            ("violates", json!({"type": "document", "id": document})),
        ] {
            let path = format!("/v1/incidents/{incident}/links");
            self.must(&Ask::post(path, json!({"to": to, "kind": kind}))).await;
        }
        (incident, risk, document)
    }

    /// What an external system says of an incident.
    async fn message(&self) -> Value {
        let mut body = self.new_incident().await;
        body["kind"] = json!("near_miss");
        body
    }

    /// Reports an incident by reference; returns its path.
    pub(crate) async fn reported(&self) -> String {
        let path = format!("/v1/incidents/by-ref/siem/ref-{}", self.slug());
        self.must(&Ask { method: Method::PUT, ..Ask::post(&path, self.message().await) }).await;
        path
    }

    async fn deleted_incident(&self) -> String {
        let id = self.incident().await;
        self.must(&Ask { method: Method::DELETE, ..Ask::post("/v1/incidents", json!({"ids": [id]})) }).await;
        id
    }

    async fn new_task(&self) -> Value {
        json!({
            "title": self.text(), "notes": self.text(), "owner": self.person().await, "mandatory": true, "position": 5,
            // Tasks are sorted by it.
            "due": format!("2026-03-04T09:00:00.{:06}Z", self.serial.fetch_add(1, Ordering::SeqCst)),
        })
    }

    /// Creates a task of the incident; returns its path.
    pub(crate) async fn task_of(&self, incident: &str) -> String {
        let path = format!("/v1/incidents/{incident}/tasks");
        let number = self.created(&Ask::post(&path, self.new_task().await), "number").await;
        format!("{path}/{number}")
    }

    async fn task(&self) -> String {
        self.task_of(&self.incident().await).await
    }

    async fn new_risk(&self) -> Value {
        json!({
            "title": self.text(), "description": self.text(), "category": self.text(), "owner": self.person().await,
            "inherent": {"likelihood": 4, "impact": 5}, "target": {"likelihood": 2, "impact": 3},
        })
    }

    pub(crate) async fn risk(&self) -> String {
        self.created(&Ask::post("/v1/risks", self.new_risk().await), "id").await
    }

    async fn deleted_risk(&self) -> String {
        let id = self.risk().await;
        self.must(&Ask::delete(format!("/v1/risks/{id}"))).await;
        id
    }

    fn new_evaluation(&self) -> Value {
        json!({"likelihood": 3, "impact": 4, "evaluated_at": "2026-02-20T09:00:00Z", "note": self.text()})
    }

    /// Creates an evaluation of the risk; returns its number.
    async fn evaluation(&self, risk: &str) -> String {
        self.created(&Ask::post(format!("/v1/risks/{risk}/evaluations"), self.new_evaluation()), "number")
            .await
    }

    fn new_client(&self) -> Value {
        json!({"name": self.text(), "scopes": "tags:read"})
    }

    /// Creates a client and a secret; returns their ids.
    async fn oauth_client(&self) -> (String, String) {
        let answer = self.must(&Ask::post("/v1/clients", self.new_client())).await;
        (answer.text("client_id").to_owned(), answer.text("/secrets/0/id").to_owned())
    }

    fn new_tag(&self) -> Value {
        json!({"name": self.text(), "color": "#64748b", "description": self.text()})
    }

    pub(crate) async fn tag(&self) -> String {
        self.created(&Ask::post("/v1/tags", self.new_tag()), "id").await
    }

    /// Creates a risk and a tag on it.
    async fn tagged_risk(&self) -> (String, String) {
        let (risk, tag) = (self.risk().await, self.tag().await);
        self.must(&Ask::post(format!("/v1/risks/{risk}/tags"), json!({"tag_id": tag}))).await;
        (risk, tag)
    }

    /// A view of the incidents, or of the risks.
    fn new_view(&self, list: &str) -> Value {
        let filter = match list {
            "risks" => json!({"status": "open", "category": [self.text()]}),
            _ => json!({"status": ["new", "investigating"], "assigned_to": "me"}),
        };
        json!({"list": list, "name": self.text(), "filter": filter, "sort": "-updated_date", "shared": false})
    }

    async fn view(&self) -> String {
        self.created(&Ask::post("/v1/views", self.new_view("incidents")), "id").await
    }

    async fn new_document(&self) -> Value {
        json!({
            "slug": self.slug(), "title": self.text(), "description": self.text(), "owner": self.person().await,
            "items": [
                {"id": "mfa", "kind": "select", "label": self.text(), "guidance": self.text(), "required": true,
                    "default": "all", "options": [
                        {"id": "all", "label": "Everyone", "text": "All.", "guidance": "g", "weakens": false},
                        {"id": "none", "label": "Nobody", "text": "None.", "guidance": "g", "weakens": true},
                    ]},
                {"id": "contact", "kind": "text", "label": self.text(), "guidance": "g", "required": false,
                    "default": "", "max_length": 2000, "multiline": true},
            ],
        })
    }

    pub(crate) async fn document(&self) -> String {
        self.created(&Ask::post("/v1/documents", self.new_document().await), "slug").await
    }

    fn edits(&self) -> Value {
        json!([
            {"node_id": "mfa", "node_type": "select", "value": "all"},
            {"node_id": "contact", "node_type": "text", "value": self.text()},
        ])
    }

    /// Creates a document with an open proposal; returns the slug and the proposal's number.
    async fn proposal(&self) -> (String, String) {
        let slug = self.document().await;
        let number =
            self.created(&Ask::patch(format!("/v1/documents/{slug}"), self.edits()), "proposal").await;
        (slug, number)
    }

    /// Creates a proposal with this many edits; returns its path.
    pub(crate) async fn proposal_of(&self, edits: usize) -> String {
        let id = |n: usize| format!("item-{n}");
        let item = |n| {
            json!({"id": id(n), "kind": "text", "label": "Label", "required": true, "default": "", "max_length": 9,
                   "multiline": false})
        };
        let (slug, items) = (self.text().replace(' ', "-"), (0..edits).map(item).collect::<Vec<_>>());
        let body = json!({"slug": slug, "title": "Long", "description": "", "items": items});
        self.must(&Ask::post("/v1/documents", body)).await;
        let edit = |n| json!({"node_id": id(n), "node_type": "text", "value": "x"});
        let body = Value::Array((0..edits).map(edit).collect());
        let number = self.created(&Ask::patch(format!("/v1/documents/{slug}"), body), "proposal").await;
        format!("/v1/documents/{slug}/proposals/{number}")
    }

    /// A request that succeeds, on records created for it; it may fail when sent again.
    pub(crate) async fn valid(&self, operation: &Operation) -> Ask {
        let own = self.organization;
        match operation.key.as_str() {
            "POST /v1/incidents" => Ask::post("/v1/incidents", self.new_incident().await),
            key if operation.is_plain_get() => Ask::get(key.trim_start_matches("GET ")),
            "GET /v1/incidents/{}" => Ask::get(format!("/v1/incidents/{}", self.incident().await)),
            "PATCH /v1/incidents/{}" => {
                let path = format!("/v1/incidents/{}", self.incident().await);
                let person = self.person().await;
                let body =
                    json!({"title": self.text(), "resolution_summary": self.text(), "assigned_to": person});
                Ask::patch(path, body)
            }
            "GET /v1/incidents/{}/transitions" => {
                Ask::get(format!("/v1/incidents/{}/transitions", self.incident().await))
            }
            "POST /v1/incidents/{}/transitions" => {
                let path = format!("/v1/incidents/{}/transitions", self.incident().await);
                let body =
                    json!({"to": "investigating", "assigned_to": self.person().await, "reason": self.text()});
                Ask::post(path, body)
            }
            "POST /v1/incidents/{}/redact" => self.redaction().await,
            "GET /v1/incidents/{}/timeline" => {
                Ask::get(format!("/v1/incidents/{}/timeline", self.incident().await))
            }
            "DELETE /v1/incidents" => {
                let ids = json!({"ids": [self.incident().await, 999_999]});
                Ask { method: Method::DELETE, ..Ask::post("/v1/incidents", ids) }
            }
            "POST /v1/incidents/bulk-delete" => {
                Ask::post("/v1/incidents/bulk-delete", json!({"ids": [self.incident().await, 999_999]}))
            }
            "POST /v1/incidents/bulk" => {
                let operation = json!({"type": "update", "title": self.text()});
                let body = json!({"ids": [self.incident().await, 999_999], "operation": operation});
                Ask::post("/v1/incidents/bulk", body)
            }
            "POST /v1/risks/bulk" => {
                let operation = json!({"type": "update", "title": self.text()});
                let body = json!({"ids": [self.risk().await, 999_999], "operation": operation});
                Ask::post("/v1/risks/bulk", body)
            }
            "POST /v1/incidents/restore" => {
                Ask::post("/v1/incidents/restore", json!({"ids": [self.deleted_incident().await, 999_999]}))
            }
            "POST /v1/documents" => Ask::post("/v1/documents", self.new_document().await),
            "GET /v1/documents/{}" => Ask::get(format!("/v1/documents/{}", self.document().await)),
            "PATCH /v1/documents/{}" => {
                Ask::patch(format!("/v1/documents/{}", self.document().await), self.edits())
            }
            "GET /v1/documents/{}/proposals/{}" => {
                let (slug, number) = self.proposal().await;
                Ask::get(format!("/v1/documents/{slug}/proposals/{number}"))
            }
            "GET /v1/documents/{}/proposals/{}/edits" => {
                let (slug, number) = self.proposal().await;
                Ask::get(format!("/v1/documents/{slug}/proposals/{number}/edits"))
            }
            "GET /v1/organizations/{}" => Ask::get(format!("/v1/organizations/{own}")),
            "GET /v1/organizations/{}/risk-performance" => {
                Ask::get(format!("/v1/organizations/{own}/risk-performance"))
            }
            "PATCH /v1/organizations/{}" => {
                Ask::patch(format!("/v1/organizations/{own}"), json!({"name": self.text()}))
            }
            "POST /v1/undo" => self.undo_of(self.client.as_ref(), "incidents:write").await,
            _ => self.valid_of_notes_or_others(operation).await,
        }
    }

    /// A redaction of a text that an incident has.
    async fn redaction(&self) -> Ask {
        let path = format!("/v1/incidents/{}", self.incident().await);
        let secret = self.text();
        self.must(&Ask::patch(path.clone(), json!({"description": format!("It is {secret}.")}))).await;
        Ask::post(format!("{path}/redact"), json!({"text": secret, "reason": "A password was pasted."}))
    }

    /// Answers to every question of the usual rules, each time others.
    fn severity_answers(&self) -> Value {
        json!({
            "ruleset": "bailiwick-1",
            "impact": {"service": 3, "data": 1, "people": 0, "money": 1, "legal": 0, "reputation": 2},
            "urgency": "contained", "administrator_credentials": false,
            "personal_data_people": self.serial.fetch_add(1, Ordering::SeqCst),
        })
    }

    async fn valid_of_severities(&self, operation: &Operation) -> Ask {
        match operation.key.as_str() {
            "POST /v1/severity/assess" => Ask::post("/v1/severity/assess", self.severity_answers()),
            "GET /v1/incidents/{}/severity" => {
                Ask::get(format!("/v1/incidents/{}/severity", self.incident().await))
            }
            "PUT /v1/incidents/{}/severity" => {
                let path = format!("/v1/incidents/{}/severity", self.incident().await);
                Ask { method: Method::PUT, ..Ask::post(path, self.severity_answers()) }
            }
            _ => self.valid_of_tasks(operation).await,
        }
    }

    async fn valid_of_tasks(&self, operation: &Operation) -> Ask {
        match operation.key.as_str() {
            "POST /v1/incidents/{}/tasks" => {
                let path = format!("/v1/incidents/{}/tasks", self.incident().await);
                Ask::post(path, self.new_task().await)
            }
            "GET /v1/incidents/{}/tasks" => {
                let task = self.task().await;
                Ask::get(task.rsplit_once('/').unwrap().0)
            }
            "GET /v1/incidents/{}/tasks/{}" => Ask::get(self.task().await),
            "PATCH /v1/incidents/{}/tasks/{}" => {
                let body = json!({"title": self.text(), "notes": self.text(), "owner": self.person().await,
                    "due": "2026-03-04T09:00:00Z",
                    "mandatory": false, "status": "not_doing", "reason": self.text(), "position": 7});
                Ask::patch(self.task().await, body)
            }
            "DELETE /v1/incidents/{}/tasks/{}" => Ask::delete(self.task().await),
            _ => self.valid_of_reviews(operation).await,
        }
    }

    async fn valid_of_reviews(&self, operation: &Operation) -> Ask {
        match operation.key.as_str() {
            "GET /v1/incidents/{}/review" => Ask::get(self.review_of(&self.incident().await).await),
            "PATCH /v1/incidents/{}/review" => {
                let path = self.review_of(&self.incident().await).await;
                let actions = json!([{"title": self.text(), "owner": self.person().await, "due": "2026-03-09T09:00:00Z"}]);
                let body = json!({"owner": self.person().await, "summary": self.text(), "root_cause": self.text(),
                    "contributing_factors": self.text(), "impact": self.text(), "went_well": self.text(),
                    "lessons": self.text(), "actions": actions, "state": "in_review"});
                Ask::patch(path, body)
            }
            "GET /v1/incidents/{}/review/editions" => {
                let path = self.review_of(&self.incident().await).await;
                self.publish(&path, 1).await;
                Ask::get(format!("{path}/editions"))
            }
            "POST /v1/incidents/{}/review/actions/{}/task" => {
                let path = self.review_of(&self.incident().await).await;
                Ask::new(Method::POST, format!("{path}/actions/1/task"))
            }
            _ => self.valid_of_links(operation).await,
        }
    }

    /// What is on an incident or leads to it.
    async fn valid_of_links(&self, operation: &Operation) -> Ask {
        match operation.key.as_str() {
            "GET /v1/incidents/by-ref/{}/{}" => Ask::get(self.reported().await),
            "PUT /v1/incidents/by-ref/{}/{}" => {
                let path = self.reported().await;
                Ask { method: Method::PUT, ..Ask::post(path, self.message().await) }
            }
            "POST /v1/incidents/{}/tags" => {
                let body = json!({"tag_id": self.tag().await});
                Ask::post(format!("/v1/incidents/{}/tags", self.incident().await), body)
            }
            "GET /v1/incidents/{}/tags" => {
                Ask::get(format!("/v1/incidents/{}/tags", self.tagged_incident().await.0))
            }
            "DELETE /v1/incidents/{}/tags/{}" => {
                let (incident, tag) = self.tagged_incident().await;
                Ask::delete(format!("/v1/incidents/{incident}/tags/{tag}"))
            }
            "POST /v1/incidents/{}/links" => {
                let body =
                    json!({"to": {"type": "incident", "id": self.incident().await}, "kind": "caused_by"});
                Ask::post(format!("/v1/incidents/{}/links", self.incident().await), body)
            }
            "GET /v1/incidents/{}/links" => {
                Ask::get(format!("/v1/incidents/{}/links", self.linked().await.0))
            }
            "DELETE /v1/incidents/{}/links/{}" => {
                Ask::delete(format!("/v1/incidents/{}/links/1", self.linked().await.0))
            }
            "GET /v1/risks/{}/links" => Ask::get(format!("/v1/risks/{}/links", self.linked().await.1)),
            "GET /v1/documents/{}/links" => {
                Ask::get(format!("/v1/documents/{}/links", self.linked().await.2))
            }
            _ => self.valid_of_callers(operation).await,
        }
    }

    /// Begins a review of the incident, with one action; returns its path.
    async fn review_of(&self, incident: &str) -> String {
        let path = format!("/v1/incidents/{incident}/review");
        let body = json!({"summary": self.text(), "actions": [{"title": self.text(), "owner": self.person().await}]});
        self.must(&Ask::patch(&path, body)).await;
        path
    }

    /// Publishes so many editions of the review with this path.
    async fn publish(&self, path: &str, editions: usize) {
        for _ in 0..editions {
            let draft = json!({"state": "draft", "summary": self.text(), "root_cause": self.text()});
            self.must(&Ask::patch(path, draft)).await;
            self.must(&Ask::patch(path, json!({"state": "published"}))).await;
        }
    }

    /// An incident with so many tasks, published editions of its review and tags, of which it takes one more; returns its
    /// path.
    pub(crate) async fn busy_incident(&self, count: usize) -> String {
        let id = self.incident().await;
        for number in 0..count {
            self.task_of(&id).await;
            if number < 49 {
                let body = json!({"tag_id": self.tag().await});
                self.must(&Ask::post(format!("/v1/incidents/{id}/tags"), body)).await;
            }
        }
        self.publish(&self.review_of(&id).await, count).await;
        format!("/v1/incidents/{id}")
    }

    /// Links this many incidents to an incident, a risk and a document; returns the paths of the three.
    pub(crate) async fn much_linked(&self, count: usize) -> [String; 3] {
        let (incident, risk, document) = (self.incident().await, self.risk().await, self.document().await);
        for number in 0..count {
            let path = format!("/v1/incidents/{}/links", self.incident().await);
            for (kind, linked, id) in [
                ("related", "incident", &incident),
                ("materialised", "risk", &risk),
                ("violates", "document", &document),
            ] {
                // Every second link of the incident is one of its own.
                if linked == "incident" && number % 2 == 1 {
                    continue;
                }
                let to = json!({"type": linked, "id": id});
                self.must(&Ask::post(&path, json!({"to": to, "kind": kind}))).await;
            }
            if number % 2 == 1 {
                let to = json!({"type": "url", "url": format!("https://tickets.example/{number}")});
                let path = format!("/v1/incidents/{incident}/links");
                self.must(&Ask::post(path, json!({"to": to, "kind": "ticket"}))).await;
            }
        }
        [
            format!("/v1/incidents/{incident}"),
            format!("/v1/risks/{risk}"),
            format!("/v1/documents/{document}"),
        ]
    }

    async fn valid_of_callers(&self, operation: &Operation) -> Ask {
        match operation.key.as_str() {
            "POST /v1/users" => {
                let email = format!("{}@x.org", self.slug());
                Ask::post("/v1/users", json!({"name": self.text(), "email": email, "role": "viewer"}))
            }
            "GET /v1/users/{}" => Ask::get(format!("/v1/users/{}", self.user().await)),
            "POST /v1/clients" => Ask::post("/v1/clients", self.new_client()),
            "GET /v1/clients/{}" => Ask::get(format!("/v1/clients/{}", self.oauth_client().await.0)),
            "PATCH /v1/clients/{}" => {
                let body = json!({"name": self.text(), "refresh_client_auth": "required", "disabled": true});
                Ask::patch(format!("/v1/clients/{}", self.oauth_client().await.0), body)
            }
            "POST /v1/clients/{}/secrets" => {
                let path = format!("/v1/clients/{}/secrets", self.oauth_client().await.0);
                // Makes each of these requests unique.
                let microsecond = self.serial.fetch_add(1, Ordering::SeqCst);
                Ask::post(path, json!({"expires_date": format!("2036-03-01T09:00:00.{microsecond:06}Z")}))
            }
            "DELETE /v1/clients/{}/secrets/{}" => {
                let (client, secret) = self.oauth_client().await;
                Ask::delete(format!("/v1/clients/{client}/secrets/{secret}"))
            }
            "GET /v1/clients/{}/refusals" => Ask::get(format!("/v1/clients/{}/refusals", self.client.id)),
            "PATCH /v1/users/{}" => {
                let body = json!({"name": self.text(), "role": "owner"});
                Ask::patch(format!("/v1/users/{}", self.user().await), body)
            }
            "GET /v1/users/{}/duties" => Ask::get(format!("/v1/users/{}/duties", self.busy_user().await)),
            "POST /v1/users/{}/handover" => self.handover(&["incidents", "tasks", "reviews"]).await,
            "DELETE /v1/users/{}" => Ask::delete(format!("/v1/users/{}", self.user().await)),
            "POST /v1/invitations" => Ask::post("/v1/invitations", self.new_invitation()),
            "GET /v1/invitations/{}" => Ask::get(format!("/v1/invitations/{}", self.invitation().await)),
            "DELETE /v1/invitations/{}" => {
                Ask::delete(format!("/v1/invitations/{}", self.invitation().await))
            }
            _ => self.valid_of_risks(operation).await,
        }
    }

    async fn valid_of_risks(&self, operation: &Operation) -> Ask {
        match operation.key.as_str() {
            "POST /v1/tags" => Ask::post("/v1/tags", self.new_tag()),
            "GET /v1/tags/{}" => Ask::get(format!("/v1/tags/{}", self.tag().await)),
            "POST /v1/views" => Ask::post("/v1/views", self.new_view("incidents")),
            "GET /v1/views/{}" => Ask::get(format!("/v1/views/{}", self.view().await)),
            "PATCH /v1/views/{}" => {
                let filter = json!({"status": ["closed"], "assigned_to": null, "source": [self.text()]});
                let body = json!({"name": self.text(), "filter": filter, "sort": "-number", "shared": true});
                Ask::patch(format!("/v1/views/{}", self.view().await), body)
            }
            "DELETE /v1/views/{}" => Ask::delete(format!("/v1/views/{}", self.view().await)),
            "POST /v1/risks" => Ask::post("/v1/risks", self.new_risk().await),
            "GET /v1/risks/{}" => Ask::get(format!("/v1/risks/{}", self.risk().await)),
            "PATCH /v1/risks/{}" => {
                let body = json!({"title": self.text(), "category": self.text(),
                    "owner": self.person().await, "inherent": {"likelihood": 5, "impact": 5}, "status": "closed", "status_reason": self.text()});
                Ask::patch(format!("/v1/risks/{}", self.risk().await), body)
            }
            "DELETE /v1/risks/{}" => Ask::delete(format!("/v1/risks/{}", self.risk().await)),
            "POST /v1/risks/{}/restore" => {
                Ask::new(Method::POST, format!("/v1/risks/{}/restore", self.deleted_risk().await))
            }
            "POST /v1/risks/{}/evaluations" => {
                Ask::post(format!("/v1/risks/{}/evaluations", self.risk().await), self.new_evaluation())
            }
            "GET /v1/risks/{}/evaluations" => {
                Ask::get(format!("/v1/risks/{}/evaluations", self.tagged_risk().await.0))
            }
            "GET /v1/risks/{}/evaluations/{}" => {
                let risk = self.risk().await;
                let number = self.evaluation(&risk).await;
                Ask::get(format!("/v1/risks/{risk}/evaluations/{number}"))
            }
            "POST /v1/risks/{}/tags" => {
                let body = json!({"tag_id": self.tag().await});
                Ask::post(format!("/v1/risks/{}/tags", self.risk().await), body)
            }
            "GET /v1/risks/{}/tags" => Ask::get(format!("/v1/risks/{}/tags", self.tagged_risk().await.0)),
            "DELETE /v1/risks/{}/tags/{}" => {
                let (risk, tag) = self.tagged_risk().await;
                Ask::delete(format!("/v1/risks/{risk}/tags/{tag}"))
            }
            other => panic!("{other} has no example: add one to World::valid in tests/all/world.rs"),
        }
    }

    /// The same for another caller in the organization that has this scope: only the author of a request can undo it, and
    /// who only declares incidents reads those alone.
    pub(crate) async fn valid_by(&self, operation: &Operation, caller: &str, scope: &str) -> Ask {
        if let Some(ask) = self.valid_of_notes_with(operation, caller, scope).await {
            return ask;
        }
        match operation.key.as_str() {
            "POST /v1/undo" => self.undo_of(caller, scope).await,
            "POST /v1/incidents/bulk" if scope == "incidents:delete" => {
                let body = json!({"ids": [self.incident().await], "operation": {"type": "delete"}});
                Ask::post("/v1/incidents/bulk", body)
            }
            "POST /v1/risks/bulk" if scope == "risks:delete" => {
                let body = json!({"ids": [self.risk().await], "operation": {"type": "delete"}});
                Ask::post("/v1/risks/bulk", body)
            }
            "POST /v1/users/{}/handover" if scope == "risks:write" => self.handover(&["risks"]).await,
            "POST /v1/users/{}/handover" if scope == "documents:write" => self.handover(&["documents"]).await,
            _ if operation.template.starts_with("/v1/views") => {
                self.valid_of_views(operation, caller, scope).await
            }
            _ if scope == "incidents:declare" && operation.template.starts_with("/v1/incidents/{") => {
                self.valid_for_declarer(operation, caller).await
            }
            _ => self.valid(operation).await,
        }
    }

    /// The same with a view of the caller's own, of a list that the scope lets it read.
    async fn valid_of_views(&self, operation: &Operation, caller: &str, scope: &str) -> Ask {
        let new = self.new_view(if scope == "risks:read" { "risks" } else { "incidents" });
        match operation.key.as_str() {
            "GET /v1/views" => return Ask::get("/v1/views"),
            "POST /v1/views" => return Ask::post("/v1/views", new),
            _ => {}
        }
        let made = self.app.post("/v1/views").bearer(caller).json(new).expect(201).await;
        let ask = self.valid(operation).await.with_path(format!("/v1/views/{}", made.text("id")));
        match operation.key.as_str() {
            "PATCH /v1/views/{}" => ask.with_body(json!({"name": self.text()})),
            _ => ask,
        }
    }

    /// The same for a caller who only sees the incidents that it declared.
    async fn valid_for_declarer(&self, operation: &Operation, caller: &str) -> Ask {
        let ask = self.valid(operation).await;
        let body = self.new_incident().await;
        let made = self.app.post("/v1/incidents").bearer(caller).json(body).expect(201).await;
        let mut values = path_values(&operation.template, &ask.path);
        values[0] = made.text("id").to_owned();
        if operation.template.contains("/tasks/{") {
            let task = self.task_of(&values[0]).await;
            values[1] = task.rsplit_once('/').unwrap().1.to_owned();
        }
        if operation.template.contains("/review") {
            let path = self.review_of(&values[0]).await;
            self.publish(&path, 1).await;
        }
        ask.with_path(path_with(&operation.template, &values))
    }

    /// Undoes a request of the caller that needed this scope.
    async fn undo_of(&self, caller: &str, scope: &str) -> Ask {
        let request = match scope {
            "incidents:write" => {
                let body = json!({"title": self.text(), "assigned_to": null, "source": null});
                Ask::patch(format!("/v1/incidents/{}", self.incident().await), body)
            }
            "incidents:delete" => {
                Ask::post("/v1/incidents/bulk-delete", json!({"ids": [self.incident().await]}))
            }
            "risks:write" => {
                let (risk, tag) = self.tagged_risk().await;
                Ask::delete(format!("/v1/risks/{risk}/tags/{tag}"))
            }
            "risks:delete" => Ask::delete(format!("/v1/risks/{}", self.risk().await)),
            other => panic!("no request that can be undone needs {other}"),
        };
        let answer = request.on(self.app).bearer(caller).await;
        assert!((200..300).contains(&answer.status), "{request:?}: {}", answer.status);
        Ask::post("/v1/undo", json!({"request_id": answer.header("x-request-id").unwrap()}))
    }

    /// The scopes that the example needs besides the operation's: a caller can only grant or remove scopes it has.
    pub(crate) fn further_scopes(operation: &Operation) -> Scopes {
        let role = match operation.key.as_str() {
            "POST /v1/users" => Role::Viewer,
            "PATCH /v1/users/{}" => Role::Owner,
            "DELETE /v1/users/{}" => Role::Responder,
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
            ("POST", "/v1/undo" | "/v1/incidents/bulk" | "/v1/risks/bulk") => vec![done.clone()],
            // The other one has no duties any more.
            ("POST", path) if path.ends_with("/handover") => vec![done.clone()],
            ("PATCH", path) if path.starts_with("/v1/documents/") => vec![done.clone()],
            ("PATCH", _) => vec![done.with_body(json!({})), done.clone()],
            ("PUT", path) if path.ends_with("/severity") || path.contains("/by-ref/") => vec![done.clone()],
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
