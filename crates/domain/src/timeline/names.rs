//! What the register knows by name today of the ids in entries.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value;
use uuid::Uuid;

use super::payload::{Change, Payload};
use super::phrase;
use crate::ids::{IncidentNumber, RiskNumber};
use crate::link::{LinkKind, LinkTarget};

/// What ids are called, what may not be named, and the zone of the dates.
#[derive(Debug, Clone)]
pub struct Names {
    /// The names of people and of tags, by id.
    pub of_ids: HashMap<Uuid, String>,
    /// The titles of parts of the incident, by the beginning of their fields, such as `tasks/3`.
    pub of_parts: HashMap<String, String>,
    /// The links of the incident, removed ones too, by their numbers.
    pub links: HashMap<i64, LinkName>,
    /// The incidents that the reader does not see.
    pub unseen: HashSet<i64>,
    /// Whether the reader sees risks.
    pub sees_risks: bool,
    /// Whether the reader sees documents.
    pub sees_documents: bool,
    /// The zone in which dates are written.
    pub zone: TimeZone,
}

/// What a link of an incident leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkName {
    /// What that is to the incident.
    pub kind: LinkKind,
    /// What it leads to.
    pub to: LinkTarget,
    /// The title of the record today; none if it is deleted.
    pub title: Option<String>,
}

impl Default for Names {
    fn default() -> Self {
        Self {
            of_ids: HashMap::new(),
            of_parts: HashMap::new(),
            links: HashMap::new(),
            unseen: HashSet::new(),
            sees_risks: false,
            sees_documents: false,
            zone: TimeZone::UTC,
        }
    }
}

impl Names {
    /// The ids in a payload that may have names.
    pub fn ids_in(payload: &Payload) -> HashSet<Uuid> {
        let values = payload.changes().iter().flat_map(|change| [&change.before, &change.after]);
        let in_values = values.filter_map(Value::as_str).flat_map(ids);
        // A tag on a record is in the name of the field.
        let in_fields = payload.changes().iter().flat_map(|change| change.field.split('/').flat_map(ids));
        in_values.chain(in_fields).collect()
    }

    /// The numbers of the other incidents that a payload names.
    pub fn incidents_in(payload: &Payload) -> HashSet<i64> {
        let is_named =
            |change: &&Change| change.field == "duplicate_of" || change.field.ends_with("/to_incident");
        let named = payload.changes().iter().filter(is_named);
        named.flat_map(|change| [&change.before, &change.after]).filter_map(Value::as_i64).collect()
    }

    /// The name of a person or a tag.
    pub(super) fn of(&self, id: &str) -> Option<&str> {
        self.of_ids.get(&Uuid::try_parse(id).ok()?).map(String::as_str)
    }

    /// The id of another incident, unless the reader does not see it.
    pub(super) fn incident(&self, number: i64) -> String {
        if self.unseen.contains(&number) {
            return "another incident".to_owned();
        }
        IncidentNumber(number).to_string()
    }

    /// The id of a risk, unless the reader does not see risks.
    pub(super) fn risk(&self, number: i64) -> String {
        if !self.sees_risks {
            return "a risk".to_owned();
        }
        RiskNumber(number).to_string()
    }

    /// What a link leads to, as far as the reader sees it: `RSK-1 “Loss of the only data centre”`.
    pub(super) fn end(&self, link: &LinkName) -> String {
        let titled = |id: String| match &link.title {
            Some(title) => format!("{id} {}", phrase::quoted(title)),
            None => id,
        };
        match &link.to {
            LinkTarget::Incident { id: number } if self.unseen.contains(&number.number()) => {
                self.incident(number.number())
            }
            LinkTarget::Incident { id: number } => titled(self.incident(number.number())),
            LinkTarget::Risk { id: number } if self.sees_risks => titled(self.risk(number.number())),
            LinkTarget::Risk { id: number } => self.risk(number.number()),
            LinkTarget::Document { id: slug } if self.sees_documents => {
                format!("the document {}", phrase::quoted(link.title.as_deref().unwrap_or(slug)))
            }
            LinkTarget::Document { .. } => "a document".to_owned(),
            LinkTarget::Url { url, title } => phrase::quoted(title.as_deref().unwrap_or(url)),
        }
    }

    /// `5 March 2026, 09:00 UTC`.
    pub(super) fn date(&self, at: Timestamp) -> String {
        at.to_zoned(self.zone.clone()).strftime("%-d %B %Y, %H:%M %Z").to_string()
    }
}

/// The ids in a text that consists of ids with a space between them; none in any other text.
fn ids(text: &str) -> Vec<Uuid> {
    // The hyphens are required: a word of 32 hexadecimal digits is no id.
    let parsed = |word: &str| Uuid::try_parse(word).ok().filter(|_| word.len() == 36);
    text.split(' ').map(parsed).collect::<Option<_>>().unwrap_or_default()
}
