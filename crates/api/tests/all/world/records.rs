//! Makes records of every kind.

use std::sync::atomic::Ordering;

use axum::http::Method;
use domain::document::{Edit, LibraryText, NewDocument, NodeType, library};
use domain::{Actor, ActorKind, Author, ExpectedVersion, Role};
use serde_json::{Value, json};

use super::{Ask, World};

impl World<'_> {
    pub(crate) async fn user(&self) -> String {
        let body =
            json!({"name": self.text(), "email": format!("{}@x.org", self.slug()), "role": "responder"});
        self.created(&Ask::post("/v1/users", body), "id").await
    }

    /// A user who can sign in.
    pub(super) async fn member(&self) -> String {
        let email = format!("{}@x.org", self.slug());
        let token = self.app.invite(self.organization, &self.text(), &email, Role::Viewer).await;
        let body = json!({"token": token, "password": "correct horse battery"});
        let accepted = self.app.post("/v1/invitations/accept").json(body).expect(200).await;
        accepted.text("/user/id").to_owned()
    }

    /// A user with a duty of every kind.
    pub(super) async fn busy_user(&self) -> String {
        let user = self.user().await;
        let incident = self.incident().await;
        let path = format!("/v1/incidents/{incident}");
        self.must(&Ask::patch(&path, json!({"assigned_to": user}))).await;
        self.must(&Ask::post(format!("{path}/tasks"), json!({"title": self.text(), "owner": user}))).await;
        self.must(&Ask::patch(format!("{path}/review"), json!({"owner": user}))).await;
        let risk = self.risk().await;
        self.must(&Ask::patch(format!("/v1/risks/{risk}"), json!({"owner": user}))).await;
        let task = json!({"title": self.text(), "owner": user});
        self.must(&Ask::post(format!("/v1/risks/{risk}/tasks"), task)).await;
        let mut document = self.new_document().await;
        document["owner"] = json!(user);
        self.must(&Ask::post("/v1/documents", document)).await;
        user
    }

    /// A new user takes over these duties.
    pub(super) async fn handover(&self, which: &[&str]) -> Ask {
        let path = format!("/v1/users/{}/handover", self.busy_user().await);
        Ask::post(path, json!({"to": self.user().await, "which": which}))
    }

    /// The assignee of all records.
    pub(super) async fn person(&self) -> &str {
        self.person.get_or_init(|| self.user()).await
    }

    pub(super) fn new_invitation(&self) -> Value {
        json!({"name": self.text(), "email": format!("{}@x.org", self.slug()), "role": "approver"})
    }

    /// The path of an open reset link.
    pub(super) async fn reset_link(&self) -> String {
        let path = format!("/v1/users/{}/reset-link", self.member().await);
        self.must(&Ask::new(Method::POST, path.clone())).await;
        path
    }

    pub(super) async fn invitation(&self) -> String {
        self.created(&Ask::post("/v1/invitations", self.new_invitation()), "id").await
    }

    pub(super) async fn new_incident(&self) -> Value {
        json!({
            "title": self.text(), "description": self.text(), "source": self.text(), "location": self.text(),
            "assigned_to": self.person().await,
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
    pub(super) async fn linked(&self) -> (String, String, String) {
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
    pub(super) async fn message(&self) -> Value {
        let mut body = self.new_incident().await;
        body["kind"] = json!("near_miss");
        body
    }

    /// Reports an incident by reference; returns its path.
    pub(crate) async fn reported(&self) -> String {
        let path = format!("/v1/sources/siem/incidents/ref-{}", self.slug());
        self.must(&Ask { method: Method::PUT, ..Ask::post(&path, self.message().await) }).await;
        path
    }

    pub(super) async fn deleted_incident(&self) -> String {
        let id = self.incident().await;
        self.must(&Ask { method: Method::DELETE, ..Ask::post("/v1/incidents", json!({"ids": [id]})) }).await;
        id
    }

    /// A new task of the record at this path. Those of risks are not mandatory.
    pub(super) async fn new_task(&self, whole: &str) -> Value {
        json!({
            "title": self.text(), "notes": self.text(), "owner": self.person().await, "position": 5,
            "mandatory": whole.contains("/incidents/"),
            // Tasks are sorted by it.
            "due": format!("2026-03-04T09:00:00.{:06}Z", self.serial.fetch_add(1, Ordering::SeqCst)),
        })
    }

    /// Creates a task of the record at this path; returns its path.
    pub(crate) async fn task_of(&self, whole: &str) -> String {
        let path = format!("{whole}/tasks");
        let number = self.created(&Ask::post(&path, self.new_task(whole).await), "number").await;
        format!("{path}/{number}")
    }

    /// The path of a new incident or risk.
    pub(super) async fn with_tasks(&self, noun: &str) -> String {
        let id = if noun == "risks" { self.risk().await } else { self.incident().await };
        format!("/v1/{noun}/{id}")
    }

    pub(super) async fn new_risk(&self) -> Value {
        json!({
            "title": self.text(), "description": self.text(), "category": self.text(), "owner": self.person().await,
            "owner_name": self.text(), "asset": self.text(), "threat": self.text(), "vulnerability": self.text(),
            "existing_controls": self.text(), "controls": ["A.7.5", "A.8.13"], "treatment": "mitigate",
            "treatment_plan": self.text(),
            "inherent": {"likelihood": 4, "impact": 5}, "target": {"likelihood": 2, "impact": 3},
        })
    }

    pub(crate) async fn risk(&self) -> String {
        self.created(&Ask::post("/v1/risks", self.new_risk().await), "id").await
    }

    pub(super) async fn deleted_risk(&self) -> String {
        let id = self.risk().await;
        self.must(&Ask::delete(format!("/v1/risks/{id}"))).await;
        id
    }

    /// The default scale with another description, which leaves it compatible.
    pub(crate) fn new_scale(&self) -> Value {
        let level = |name: &str| json!({"name": name, "description": self.text()});
        let levels: Vec<_> = ["a", "b", "c", "d", "e"].map(level).into();
        let bands = [("Low", "green"), ("Medium", "yellow"), ("High", "orange"), ("Critical", "red")];
        let bands =
            bands.map(|(name, color)| json!({"name": name, "color": color, "acceptance": {"by": "owner"}}));
        let matrix = [[0, 0, 0, 0, 1], [0, 0, 1, 1, 2], [0, 1, 1, 2, 3], [0, 1, 2, 3, 3], [1, 2, 3, 3, 3]];
        json!({"reason": self.text(), "likelihood": levels, "impact": levels, "bands": bands, "matrix": matrix})
    }

    pub(super) fn new_evaluation(&self) -> Value {
        json!({"likelihood": 3, "impact": 4, "evaluated_at": "2026-02-20T09:00:00Z", "note": self.text()})
    }

    /// Creates an evaluation of the risk; returns its number.
    pub(super) async fn evaluation(&self, risk: &str) -> String {
        self.created(&Ask::post(format!("/v1/risks/{risk}/evaluations"), self.new_evaluation()), "number")
            .await
    }

    /// Asks so many times for the acceptance of the risk at this path, after an evaluation; all requests but the last are
    /// withdrawn.
    pub(crate) async fn much_asked(&self, risk: &str, count: usize) {
        let evaluation =
            self.created(&Ask::post(format!("{risk}/evaluations"), self.new_evaluation()), "number").await;
        let current = self.must(&Ask::get(risk)).await.json()["current"]["evaluation"].clone();
        assert!(current.is_i64(), "after evaluation {evaluation}");
        for number in 1..=count {
            let body = json!({"reason": self.text(), "evaluation": current});
            self.must(&Ask::post(format!("{risk}/acceptances"), body)).await;
            if number < count {
                let path = format!("{risk}/acceptances/{number}/withdraw");
                self.must(&Ask::new(Method::POST, path)).await;
            }
        }
    }

    /// Creates an acceptance by the owner of a risk; returns its path.
    pub(super) async fn accepted(&self) -> String {
        let owner = self.app.person_of(self.organization, &self.text(), Role::Owner).await;
        let mut new = self.new_risk().await;
        new["owner"] = json!(owner.id);
        let risk = format!("/v1/risks/{}", self.created(&Ask::post("/v1/risks", new), "id").await);
        self.much_asked(&risk, 1).await;
        let path = format!("{risk}/acceptances/1");
        let body = json!({"decision": "accepted", "note": self.text(), "evaluation": 1});
        self.app.post(&format!("{path}/decision")).bearer(&owner).json(body).expect(200).await;
        path
    }

    pub(super) async fn new_exception(&self) -> Value {
        json!({"title": self.text(), "reason": self.text(), "plan": self.text(), "until": "2099-12-31",
               "node_id": "mfa", "risk": self.risk().await})
    }

    /// Asks for an exception to a published document; returns its path.
    pub(crate) async fn excepted(&self, document: &str) -> String {
        let new = self.new_exception().await;
        let number =
            self.must(&Ask::post(format!("{document}/exceptions"), new)).await.json()["number"].clone();
        format!("{document}/exceptions/{number}")
    }

    pub(super) fn new_client(&self) -> Value {
        json!({"name": self.text(), "scopes": "tags:read"})
    }

    /// Creates a client and a secret; returns their ids.
    pub(super) async fn oauth_client(&self) -> (String, String) {
        let answer = self.must(&Ask::post("/v1/clients", self.new_client())).await;
        (answer.text("client_id").to_owned(), answer.text("/secrets/0/id").to_owned())
    }

    pub(super) fn new_tag(&self) -> Value {
        json!({"name": self.text(), "color": "#64748b", "description": self.text()})
    }

    pub(crate) async fn tag(&self) -> String {
        self.created(&Ask::post("/v1/tags", self.new_tag()), "id").await
    }

    pub(super) fn new_group(&self) -> Value {
        json!({"name": self.text(), "description": self.text()})
    }

    /// Creates a group with a member; returns their ids.
    pub(super) async fn group(&self) -> (String, String) {
        let group = self.created(&Ask::post("/v1/groups", self.new_group()), "id").await;
        let user = self.user().await;
        self.must(&Ask::put(format!("/v1/groups/{group}/members/{user}"))).await;
        (group, user)
    }

    /// Creates a risk and a tag on it.
    pub(super) async fn tagged_risk(&self) -> (String, String) {
        let (risk, tag) = (self.risk().await, self.tag().await);
        self.must(&Ask::post(format!("/v1/risks/{risk}/tags"), json!({"tag_id": tag}))).await;
        (risk, tag)
    }

    /// A document with a tag: its slug, and the id of the tag.
    pub(super) async fn tagged_document(&self) -> (String, String) {
        let (document, tag) = (self.document().await, self.tag().await);
        self.must(&Ask::put(format!("/v1/documents/{document}/tags/{tag}"))).await;
        (document, tag)
    }

    /// Puts so many tags on the record with this path.
    pub(crate) async fn tagged(&self, path: &str, count: usize) {
        for _ in 0..count {
            self.must(&Ask::put(format!("{path}/tags/{}", self.tag().await))).await;
        }
    }

    /// A view of the incidents, of the risks, or of the documents.
    pub(super) fn new_view(&self, list: &str) -> Value {
        let filter = match list {
            "risks" => json!({"status": "open", "category": [self.text()]}),
            "documents" => json!({"status": ["draft", "published"], "owner": "me", "review": "overdue"}),
            _ => json!({"status": ["new", "investigating"], "assigned_to": "me"}),
        };
        let sort = (list != "documents").then_some("-updated_date");
        json!({"list": list, "name": self.text(), "filter": filter, "sort": sort, "shared": false})
    }

    pub(super) async fn view(&self) -> String {
        self.created(&Ask::post("/v1/views", self.new_view("incidents")), "id").await
    }

    pub(super) async fn new_document(&self) -> Value {
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

    /// Creates a document from an older text of the library; returns its path and the hash of the text that is offered.
    pub(super) async fn offered(&self) -> (String, String) {
        let policy = &library()[0];
        let older = NewDocument { template: Some("Older.".into()), items: Vec::new(), ..policy.clone() };
        let text = Some(LibraryText::of(&older, 0));
        let new = NewDocument { slug: self.slug(), reference: None, library: text, ..older };
        let (organization, path) = (self.organization, format!("/v1/documents/{}", new.slug));
        let work = async move |tx: &mut db::Tx| {
            store::documents::create(tx, organization, &testkit::author(), &new).await
        };
        self.app.db.write(organization, work).await.unwrap();
        (path, policy.library.as_ref().unwrap().sha256.clone())
    }

    pub(super) fn edits(&self) -> Value {
        json!([
            {"node_id": "mfa", "node_type": "select", "value": "all"},
            {"node_id": "contact", "node_type": "text", "value": self.text()},
        ])
    }

    /// Creates a document with an open proposal; returns the slug and the proposal's number.
    pub(super) async fn proposal(&self) -> (String, String) {
        let slug = self.document().await;
        let number =
            self.created(&Ask::patch(format!("/v1/documents/{slug}"), self.edits()), "proposal").await;
        (slug, number)
    }

    /// The same as this caller, who had `documents:write` then; returns the path of the proposal.
    pub(super) async fn proposal_by(&self, caller: &str) -> String {
        let (organization, slug) = (self.organization, self.document().await);
        let me = self.app.get("/v1/me").bearer(caller).expect(200).await;
        let kind = if me.text("type") == "user" { ActorKind::User } else { ActorKind::Client };
        let (id, name) = (me.text("id").to_owned(), me.text("name").to_owned());
        let (author, of) = (Author::new(Actor { kind, id, name }, "test"), slug.clone());
        let value = self.text();
        let edits = [Edit { node_id: "contact".to_owned(), node_type: NodeType::Text, value }];
        let work = async move |tx: &mut db::Tx| {
            let any = ExpectedVersion::Any;
            store::proposals::edit(tx, organization, &author, &of, &any, &edits, 65_536).await
        };
        let recorded = self.app.db.write(organization, work).await.unwrap();
        format!("/v1/documents/{slug}/proposals/{}", recorded.proposal)
    }

    /// Creates a document with a proposal and a comment on it; returns the path of the comments and the number of the one.
    pub(super) async fn commented(&self) -> (String, String) {
        let (slug, number) = self.proposal().await;
        let path = format!("/v1/documents/{slug}/proposals/{number}/comments");
        let suggestion = json!({"node_id": "mfa", "value": "none"});
        let comment = Ask::post(path.clone(), json!({"text": self.text(), "suggestion": suggestion}));
        (path, self.created(&comment, "number").await)
    }

    /// Creates a document with a proposal that is submitted; returns the path of the proposal.
    pub(super) async fn submitted(&self) -> String {
        let (slug, number) = self.proposal().await;
        let path = format!("/v1/documents/{slug}/proposals/{number}");
        self.must(&Ask::post(format!("{path}/submit"), json!({"summary": self.text()}))).await;
        path
    }

    /// A replacement of the only person whom the step of a submitted proposal names.
    pub(super) async fn replacement(&self) -> Ask {
        let mut people = Vec::new();
        for _ in 0..2 {
            let person = self.app.person_of(self.organization, &self.text(), Role::Approver).await;
            people.push(person.id);
        }
        let mut new = self.new_document().await;
        new["approval_steps"] = json!([{"name": "One", "who": "users", "users": [people[0]]}]);
        let slug = self.created(&Ask::post("/v1/documents", new), "slug").await;
        let number =
            self.created(&Ask::patch(format!("/v1/documents/{slug}"), self.edits()), "proposal").await;
        let path = format!("/v1/documents/{slug}/proposals/{number}");
        self.must(&Ask::post(format!("{path}/submit"), json!({"summary": self.text()}))).await;
        let body = json!({"person": people[0], "replacement": people[1], "reason": self.text()});
        Ask::post(format!("{path}/replace"), body)
    }

    /// Waives four eyes this many times.
    pub(crate) async fn waived(&self, times: usize) {
        let path = format!("{}/waive-four-eyes", self.submitted().await);
        for _ in 0..times {
            self.must(&Ask::post(&path, json!({"reason": self.text()}))).await;
        }
    }

    /// Creates a document with this many published versions; returns its path.
    pub(crate) async fn published(&self, versions: usize) -> String {
        let document = format!("/v1/documents/{}", self.document().await);
        let approver = self.app.person_of(self.organization, &self.text(), Role::Admin).await;
        for _ in 0..versions {
            let number = self.created(&Ask::patch(&document, self.edits()), "proposal").await;
            let proposal = format!("{document}/proposals/{number}");
            let submission = Ask::post(format!("{proposal}/submit"), json!({"summary": self.text()}));
            let body = json!({"sha256": self.must(&submission).await.text("sha256")});
            self.app.post(&format!("{proposal}/approve")).bearer(&approver).json(body).expect(200).await;
        }
        document
    }

    /// Creates a document whose one step of approval names a person, with a published version and an open proposal; returns
    /// the document's path, the proposal's number and the person's id.
    pub(crate) async fn stepped(&self) -> [String; 3] {
        let approver = self.app.person_of(self.organization, &self.text(), Role::Approver).await;
        let mut new = self.new_document().await;
        new["approval_steps"] = json!([{"name": "One", "who": "users", "users": [approver.id]}]);
        let document =
            format!("/v1/documents/{}", self.created(&Ask::post("/v1/documents", new), "slug").await);
        let first = self.created(&Ask::patch(&document, self.edits()), "proposal").await;
        let proposal = format!("{document}/proposals/{first}");
        let submission = Ask::post(format!("{proposal}/submit"), json!({"summary": self.text()}));
        let body = json!({"sha256": self.must(&submission).await.text("sha256")});
        self.app.post(&format!("{proposal}/approve")).bearer(&approver).json(body).expect(200).await;
        let second = self.created(&Ask::patch(&document, self.edits()), "proposal").await;
        [document, second, approver.id]
    }

    /// Creates a document with this many versions and requests to acknowledge it, of which some are covered, overdue or not reached;
    /// returns its path.
    pub(crate) async fn asked(&self, versions: usize) -> String {
        let document = self.published(versions).await;
        let newest = format!("{document}/versions/{versions}");
        for _ in 0..versions {
            self.user().await;
            self.must(&Ask::post(format!("{newest}/acknowledgement-requests"), json!({"who": "all"}))).await;
        }
        for _ in 0..versions {
            self.must(&Ask::post(format!("{document}/reviews"), json!({}))).await;
        }
        let sha256 = self.must(&Ask::get(&newest)).await.text("sha256").to_owned();
        let paper = json!({"user": self.user().await, "file": self.text()});
        let body = json!({"sha256": sha256, "on_paper": paper});
        self.must(&Ask::post(format!("{newest}/acknowledgements"), body)).await;
        document
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
        let proposal = format!("/v1/documents/{slug}/proposals/{number}");
        for _ in 0..edits {
            self.must(&Ask::post(format!("{proposal}/comments"), json!({"text": self.text()}))).await;
        }
        proposal
    }

    /// Begins a review of the incident, with one action; returns its path.
    pub(super) async fn review_of(&self, incident: &str) -> String {
        let path = format!("/v1/incidents/{incident}/review");
        let body = json!({"summary": self.text(), "actions": [{"title": self.text(), "owner": self.person().await}]});
        self.must(&Ask::patch(&path, body)).await;
        path
    }

    /// Publishes so many editions of the review with this path.
    pub(super) async fn publish(&self, path: &str, editions: usize) {
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
            self.task_of(&format!("/v1/incidents/{id}")).await;
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
}
