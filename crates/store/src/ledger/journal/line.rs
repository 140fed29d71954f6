//! An entry as one JSON object: the form of `GET /v1/journal` and of an export (docs/journal.md).

use domain::{Actor, ActorKind, time};
use serde::{Deserialize, Serialize};

use crate::ledger::journal::entry::Entry;

#[derive(Serialize, Deserialize)]
struct Line {
    seq: i64,
    at: String,
    actor: LineActor,
    request_id: String,
    kind: String,
    subject: LineSubject,
    payload: Option<String>,
    salt: Option<String>,
    payload_hash: String,
    prev_hash: String,
    hash: String,
}

#[derive(Serialize, Deserialize)]
struct LineActor {
    r#type: String,
    id: String,
    name: String,
}

#[derive(Serialize, Deserialize)]
struct LineSubject {
    kind: String,
    id: String,
}

impl Entry {
    /// The entry as one line of JSON, without its end.
    pub fn to_json(&self) -> String {
        let line = Line {
            seq: self.seq,
            at: time::format(self.at),
            actor: LineActor {
                r#type: self.actor.kind.as_str().to_owned(),
                id: self.actor.id.clone(),
                name: self.actor.name.clone(),
            },
            request_id: self.request_id.clone(),
            kind: self.kind.clone(),
            subject: LineSubject { kind: self.subject_kind.clone(), id: self.subject_id.clone() },
            payload: self.payload.clone(),
            salt: self.salt.as_ref().map(hex::encode),
            payload_hash: hex::encode(&self.payload_hash),
            prev_hash: hex::encode(&self.prev_hash),
            hash: hex::encode(&self.hash),
        };
        // Strings and numbers always have a JSON form.
        serde_json::to_string(&line).unwrap_or_default()
    }

    /// Reads such a line; none when it is not an entry.
    pub fn from_json(text: &str) -> Option<Self> {
        let line: Line = serde_json::from_str(text).ok()?;
        let LineActor { r#type, id, name } = line.actor;
        Some(Self {
            seq: line.seq,
            at: time::parse(&line.at)?,
            actor: Actor { kind: ActorKind::parse(&r#type)?, id, name },
            request_id: line.request_id,
            kind: line.kind,
            subject_kind: line.subject.kind,
            subject_id: line.subject.id,
            payload: line.payload,
            salt: line.salt.map(hex::decode).transpose().ok()?,
            payload_hash: hex::decode(line.payload_hash).ok()?,
            prev_hash: hex::decode(line.prev_hash).ok()?,
            hash: hex::decode(line.hash).ok()?,
        })
    }
}
