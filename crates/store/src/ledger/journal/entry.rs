//! An entry and its hashes (docs/journal.md).

use domain::{Actor, Author};
use jiff::Timestamp;
use sha2::{Digest, Sha256};

use crate::ledger::record::record;

/// The record that an entry is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The kind of record.
    pub kind: &'static str,
    /// The record's id as the API shows it.
    pub id: String,
}

impl Subject {
    /// The subject `kind` with the id `id`.
    pub fn new(kind: &'static str, id: impl Into<String>) -> Self {
        Self { kind, id: id.into() }
    }
}

/// What the hash of an entry covers, besides the entry before.
#[derive(Debug, Clone, Copy)]
pub struct Link<'a> {
    /// The entry's number.
    pub seq: i64,
    /// When.
    pub at: Timestamp,
    /// The actor and the request.
    pub author: &'a Author,
    /// Kind of record and past participle.
    pub kind: &'a str,
    /// The record.
    pub subject: &'a Subject,
    /// The hash of salt and payload.
    pub payload_hash: &'a [u8; 32],
}

/// `SHA-256(salt || payload)`: what remains of a payload that was erased.
pub fn payload_hash(salt: &[u8], payload: &str) -> [u8; 32] {
    Sha256::new().chain_update(salt).chain_update(payload.as_bytes()).finalize().into()
}

/// `SHA-256(prev_hash || header || payload_hash)`. The header is each field's length in bytes (four
/// bytes, big-endian) and its UTF-8 text, in this order.
pub fn link_hash(prev_hash: &[u8; 32], link: &Link<'_>) -> [u8; 32] {
    let (seq, at) = (link.seq.to_string(), domain::time::format(link.at));
    let fields = [
        "bailiwick-journal-1",
        &seq,
        &at,
        link.author.actor.kind.as_str(),
        &link.author.actor.id,
        &link.author.request_id,
        link.kind,
        link.subject.kind,
        &link.subject.id,
    ];
    header_hash(prev_hash, &fields, link.payload_hash)
}

/// The hash over fields as they are stored or exported.
pub(super) fn header_hash(prev_hash: &[u8], fields: &[&str], payload_hash: &[u8]) -> [u8; 32] {
    let mut sha = Sha256::new().chain_update(prev_hash);
    for field in fields {
        let length = u32::try_from(field.len()).unwrap_or(u32::MAX);
        sha = sha.chain_update(length.to_be_bytes()).chain_update(field.as_bytes());
    }
    sha.chain_update(payload_hash).finalize().into()
}

/// An entry as it is read back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its number, from 1 without gaps.
    pub seq: i64,
    /// When.
    pub at: Timestamp,
    /// The actor, with its current name.
    pub actor: Actor,
    /// The request that asked for it.
    pub request_id: String,
    /// Kind of record and past participle.
    pub kind: String,
    /// The kind of the record it is about.
    pub subject_kind: String,
    /// The record's id.
    pub subject_id: String,
    /// The exact text that was hashed; none once it was erased.
    pub payload: Option<String>,
    /// What was hashed before the payload; none once it was erased.
    pub salt: Option<Vec<u8>>,
    /// See [`payload_hash`].
    pub payload_hash: Vec<u8>,
    /// The hash of the entry before; 32 zero bytes for the first.
    pub prev_hash: Vec<u8>,
    /// See [`link_hash`].
    pub hash: Vec<u8>,
}

impl Entry {
    /// The hash that the entry should have.
    pub fn expected_hash(&self) -> [u8; 32] {
        let (seq, at) = (self.seq.to_string(), domain::time::format(self.at));
        let fields = [
            "bailiwick-journal-1",
            &seq,
            &at,
            self.actor.kind.as_str(),
            &self.actor.id,
            &self.request_id,
            &self.kind,
            &self.subject_kind,
            &self.subject_id,
        ];
        header_hash(&self.prev_hash, &fields, &self.payload_hash)
    }
}

/// The number in an id of an entry.
pub(crate) fn number_in(id: &str) -> Option<i64> {
    id.rsplit('-').next()?.parse().ok()
}

record! {
    Entry in "journal_entry" {
        seq: Plain => Key,
        at: Plain => Fixed,
        actor: AnActor => Fixed,
        request_id: Plain => Fixed,
        kind: Plain => Fixed,
        subject_kind: Plain => Fixed,
        subject_id: Plain => Fixed,
        payload: Plain => Fixed,
        salt: Plain => Fixed,
        payload_hash: Plain => Fixed,
        prev_hash: Plain => Fixed,
        hash: Plain => Fixed,
    }
}

#[cfg(test)]
mod tests {
    use domain::ActorKind;

    use super::*;

    /// The example of docs/journal.md, whose hashes were computed by another program.
    #[test]
    fn the_documented_entry_has_the_documented_hashes() {
        let salt: Vec<u8> = (0..16).collect();
        let payload_hash = payload_hash(&salt, r#"{"title":[null,"Phishing wäve"]}"#);
        let actor = Actor { kind: ActorKind::Client, id: "bwc_x".to_owned(), name: "not hashed".to_owned() };
        let link = Link {
            seq: 1,
            at: "2026-03-01T09:00:00Z".parse().unwrap(),
            author: &Author::new(actor, "req-1"),
            kind: "incident.created",
            subject: &Subject::new("incident", "INC-0001"),
            payload_hash: &payload_hash,
        };
        assert_eq!(
            hex::encode(payload_hash),
            "a77560121377d0b3d9dce4ea23ab9fb11756287ab54b8590cb6d0606b389ee91"
        );
        assert_eq!(
            hex::encode(link_hash(&[0; 32], &link)),
            "12d84c6a98729d2e60726add27f2c98821115f4a4cc379c8ecb84c396e9ce92e"
        );
    }
}
