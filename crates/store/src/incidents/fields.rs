//! The fields of an incident that the journal tells of. Who opened it is the author of its first entry.

use std::collections::HashMap;

use db::Tx;
use domain::incident::Incident;
use domain::time::format;
use domain::{IncidentNumber, OrgId};
use serde_json::Value;

use super::read;
use crate::error::Result;
use crate::journal::{Current, Payload, Subject};
use crate::view::{Deleted, View};

/// Incidents that are compared with the journal at a time.
const PAGE: i64 = 1_000;

/// A field's name, and its value as the journal has it.
type Field = (&'static str, fn(&Incident) -> Option<String>);

const FIELDS: [Field; 11] = [
    ("title", |incident| Some(incident.title.clone())),
    ("description", |incident| Some(incident.description.clone())),
    ("status", |incident| Some(incident.status.as_str().to_owned())),
    ("severity_reasoning", |incident| incident.severity_reasoning.clone()),
    ("source", |incident| incident.source.clone()),
    ("assigned_to", |incident| incident.assigned_to.as_ref().map(|person| person.id.to_string())),
    ("occurred_date", |incident| incident.occurred_date.map(format)),
    ("detected_date", |incident| Some(format(incident.detected_date))),
    ("responded_date", |incident| incident.responded_date.map(format)),
    ("contained_date", |incident| incident.contained_date.map(format)),
    ("deleted_date", |incident| incident.deleted_date.map(format)),
];

/// The subject of an incident's entries.
pub(super) fn subject(number: IncidentNumber) -> Subject {
    Subject::new("incident", number.to_string())
}

/// What the journal tells of a change.
pub(super) fn changes(before: Option<&Incident>, after: &Incident) -> Payload {
    FIELDS.iter().fold(Payload::new(), |payload, (name, value)| {
        payload.change(name, before.and_then(value), value(after))
    })
}

/// Every incident as the journal should have it, deleted ones too.
pub(crate) async fn journaled(tx: &mut Tx, organization: OrgId) -> Result<Vec<Current>> {
    let view = View { deleted: Deleted::With, ..View::now() };
    let (mut all, mut before) = (Vec::new(), None);
    loop {
        let page = read::list(tx, organization, view, before, PAGE).await?;
        before = page.rows.last().map(|incident| incident.number);
        all.extend(page.rows.iter().map(current));
        if !page.has_more {
            return Ok(all);
        }
    }
}

fn current(incident: &Incident) -> Current {
    let value =
        |(name, value): &Field| ((*name).to_owned(), value(incident).map_or(Value::Null, Value::String));
    Current {
        subject_kind: "incident",
        subject_id: incident.number.to_string(),
        seq_from: Some(incident.seq_from),
        fields: FIELDS.iter().map(value).collect::<HashMap<_, _>>(),
    }
}
