//! Notes about incidents.

use std::sync::atomic::Ordering;

use axum::http::Method;
use serde_json::{Value, json};

use super::{Ask, World};
use crate::all::operations::Operation;

/// The kinds of notes that speak of a time.
const KINDS: [&str; 6] = ["detection", "action", "observation", "decision", "communication", "evidence"];

/// The rest of the path of an operation on notes.
fn of(operation: &Operation) -> Option<&str> {
    Some(operation.key.split_once(" /v1/incidents/{}/notes")?.1)
}

impl World<'_> {
    /// A note to write that speaks of a time; also a patch of every member.
    async fn new_note(&self) -> Value {
        let serial = self.serial.fetch_add(1, Ordering::SeqCst);
        let (at, index) = (format!("2026-02-03T10:00:00.{serial:06}Z"), usize::try_from(serial).unwrap());
        json!({"kind": KINDS[index % KINDS.len()], "text": self.text(), "at": at, "pinned": true})
    }

    /// A comment to write; also a patch of every member.
    async fn new_comment(&self) -> Value {
        json!({"kind": "comment", "text": self.text(), "mentions": [self.person().await]})
    }

    /// An incident that this caller declared.
    async fn incident_of(&self, caller: &str) -> String {
        let body = self.new_incident().await;
        let made = self.app.post("/v1/incidents").bearer(caller).json(body).expect(201).await;
        format!("/v1/incidents/{}", made.text("id"))
    }

    /// Writes a note about the incident; returns its path.
    async fn note(&self, caller: &str, incident: &str, body: Value) -> String {
        let path = format!("{incident}/notes");
        let made = self.app.post(&path).bearer(caller).json(body).expect(201).await;
        format!("{path}/{}", made.json()["number"])
    }

    /// A request on notes that succeeds, or one on something else.
    pub(super) async fn valid_of_notes_or_others(&self, operation: &Operation) -> Ask {
        match self.valid_of_notes(operation).await {
            Some(ask) => ask,
            None => self.valid_of_severities(operation).await,
        }
    }

    /// A request on notes that succeeds; none if the operation is about something else.
    async fn valid_of_notes(&self, operation: &Operation) -> Option<Ask> {
        let client = self.client.as_ref();
        self.valid_of_notes_by(operation, client, client).await
    }

    /// The same for another caller with this scope.
    pub(super) async fn valid_of_notes_with(
        &self,
        operation: &Operation,
        caller: &str,
        scope: &str,
    ) -> Option<Ask> {
        let client = self.client.as_ref();
        match scope {
            // Who declares incidents sees those alone, and writes comments.
            "incidents:declare" => self.valid_of_notes_by(operation, caller, caller).await,
            // Notes are changed by who wrote them.
            "incidents:write" => self.valid_of_notes_by(operation, client, caller).await,
            _ => self.valid_of_notes(operation).await,
        }
    }

    async fn valid_of_notes_by(&self, operation: &Operation, declarer: &str, author: &str) -> Option<Ask> {
        let rest = of(operation)?;
        let incident = self.incident_of(declarer).await;
        let new = async || match declarer == author && author != self.client.as_ref() {
            true => self.new_comment().await,
            false => self.new_note().await,
        };
        if (&operation.method, rest) == (&Method::POST, "") {
            return Some(Ask::post(format!("{incident}/notes"), new().await));
        }
        let note = self.note(author, &incident, new().await).await;
        Some(match (operation.method.as_str(), rest) {
            ("GET", "") => Ask::get(format!("{incident}/notes")),
            ("GET", "/{}") => Ask::get(note),
            ("PATCH", "/{}") => Ask::patch(note, new().await),
            ("DELETE", "/{}") => Ask::delete(note),
            ("GET", "/{}/revisions") => Ask::get(format!("{note}/revisions")),
            ("POST", "/{}/restore") => {
                self.must(&Ask::delete(&note)).await;
                Ask::new(Method::POST, format!("{note}/restore"))
            }
            other => panic!("{other:?} has no example: add one to World::valid in tests/all/world/notes.rs"),
        })
    }

    /// Gives an incident so many pinned notes and so many comments, one note that is not pinned and one of each that is
    /// deleted. The first note has as many revisions.
    pub(crate) async fn discuss(&self, incident: &str, count: usize) {
        let client = self.client.as_ref();
        for _ in 0..count {
            self.note(client, incident, self.new_note().await).await;
        }
        for _ in 0..count {
            self.note(client, incident, self.new_comment().await).await;
        }
        for _ in 1..count {
            self.must(&Ask::patch(format!("{incident}/notes/1"), self.new_note().await)).await;
        }
        let last = self.note(client, incident, self.new_note().await).await;
        self.must(&Ask::patch(&last, json!({"pinned": false}))).await;
        for new in [self.new_note().await, self.new_comment().await] {
            let gone = self.note(client, incident, new).await;
            self.must(&Ask::delete(gone)).await;
        }
    }
}

/// The path of a list, or of the revisions of a note, of this incident.
pub(crate) fn path_of(template: &str, incident: &str) -> String {
    template.replace("/v1/incidents/{id}", incident).replace("/{number}/revisions", "/1/revisions")
}
