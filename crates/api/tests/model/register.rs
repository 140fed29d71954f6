//! What the service should know: plain data, and who sees what.

use std::collections::{BTreeMap, BTreeSet};

/// The callers, by their place in the scene.
pub(super) const ADA: usize = 0;
pub(super) const OWEN: usize = 1;
pub(super) const VERA: usize = 2;
pub(super) const SAM: usize = 3;
pub(super) const CALLERS: [usize; 4] = [ADA, OWEN, VERA, SAM];

/// An incident, apart from its notes: what an undo brings back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Content {
    /// Begins with a word that no other incident has.
    pub title: String,
    pub description: String,
    pub status: &'static str,
    /// Every status that it went to: a step back is kept, so the same status again is another state.
    pub steps: Vec<&'static str>,
    pub kind: &'static str,
    pub severity: &'static str,
    pub assigned_to: Option<usize>,
    pub restricted: bool,
    pub readers: BTreeSet<usize>,
    pub tags: BTreeSet<usize>,
    pub is_deleted: bool,
    /// Which deletion it was: deleted again is another state.
    pub deletion: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Note {
    pub kind: &'static str,
    pub text: String,
    pub author: usize,
    pub is_deleted: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Incident {
    pub content: Content,
    pub opened_by: usize,
    pub notes: Vec<Note>,
    /// Counts the changes of the content.
    pub changes: usize,
}

/// A request that can be undone.
#[derive(Debug, Clone)]
pub(super) struct Request {
    pub id: String,
    pub by: usize,
    /// The turn in which it was made.
    pub turn: usize,
    /// What it changed: what each was before, and the count of its changes afterwards.
    pub changed: BTreeMap<usize, (Content, usize)>,
}

/// A moment of the past.
pub(super) struct Past {
    pub seq: i64,
    pub incidents: BTreeMap<usize, Incident>,
}

#[derive(Default)]
pub(super) struct Register {
    /// By number.
    pub incidents: BTreeMap<usize, Incident>,
    pub requests: Vec<Request>,
    /// How many requests have changed a content.
    pub made: usize,
    /// How many changes have been tried, those included that were refused or changed nothing.
    pub turn: usize,
    pub past: Vec<Past>,
    /// What was redacted.
    pub redacted: Vec<String>,
}

impl Incident {
    fn is_involved(&self, caller: usize) -> bool {
        let content = &self.content;
        self.opened_by == caller || content.assigned_to == Some(caller) || content.readers.contains(&caller)
    }

    /// Whether a caller sees it, deleted or not.
    pub(super) fn is_seen_by(&self, caller: usize) -> bool {
        match caller {
            ADA => true,
            SAM => self.opened_by == SAM,
            _ => !self.content.restricted || self.is_involved(caller),
        }
    }

    /// Whether a caller may change who sees it.
    pub(super) fn may_be_restricted_by(&self, caller: usize) -> bool {
        caller == ADA || self.is_involved(caller)
    }

    /// Everything that a search finds.
    pub(super) fn has_word(&self, word: &str) -> bool {
        let notes = self.notes.iter().filter(|note| !note.is_deleted).map(|note| note.text.as_str());
        let texts = notes.chain([self.content.title.as_str(), self.content.description.as_str()]);
        texts.flat_map(str::split_whitespace).any(|found| found == word)
    }

    /// Replaces what is redacted.
    pub(super) fn redact(&mut self, secret: &str) {
        let texts = self.notes.iter_mut().map(|note| &mut note.text);
        for text in texts.chain([&mut self.content.description]) {
            *text = text.replace(secret, "[redacted]");
        }
    }
}

impl Content {
    /// Deletes it by this deletion, or restores it.
    pub(super) fn mark(&mut self, deletion: Option<usize>) {
        (self.is_deleted, self.deletion) = (deletion.is_some(), deletion.unwrap_or_default());
    }
}

impl Register {
    /// The incidents that a caller sees and that are not deleted.
    pub(super) fn present(&self, caller: usize) -> impl Iterator<Item = (&usize, &Incident)> {
        self.incidents.iter().filter(move |(_, it)| it.is_seen_by(caller) && !it.content.is_deleted)
    }

    /// Whether an incident is there for a caller.
    pub(super) fn is_present(&self, caller: usize, number: usize) -> bool {
        self.incidents.get(&number).is_some_and(|it| it.is_seen_by(caller) && !it.content.is_deleted)
    }

    /// Notes a request that changed the contents of incidents, which are given as they were before.
    pub(super) fn note_request(&mut self, id: &str, by: usize, before: BTreeMap<usize, Content>) {
        let mut changed = BTreeMap::new();
        for (number, content) in before {
            let incident = self.incidents.get_mut(&number).unwrap();
            if incident.content != content {
                incident.changes += 1;
                changed.insert(number, (content, incident.changes));
            }
        }
        if !changed.is_empty() {
            self.made += 1;
            self.requests.push(Request { id: id.to_owned(), by, turn: self.turn, changed });
        }
    }
}
