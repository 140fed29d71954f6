//! The fields of an incident that the journal tells of. Who opened it is the author of its first entry.

use std::borrow::Cow;
use std::collections::HashMap;

use db::Tx;
use domain::incident::Incident;
use domain::time::format;
use domain::{IncidentNumber, OrgId};
use jiff::Timestamp;
use serde_json::Value;

use super::read;
use crate::error::Result;
use crate::journal::{Current, Payload, Subject};
use crate::view::{Deleted, View};

/// Incidents that are compared with the journal at a time.
const PAGE: i64 = 1_000;

/// A field's name, and its value as the journal has it.
type Field = (&'static str, fn(&Incident) -> Option<Cow<'_, str>>);

const FIELDS: [Field; 11] = [
    ("title", |incident| Some(incident.title.as_str().into())),
    ("description", |incident| Some(incident.description.as_str().into())),
    ("status", |incident| Some(incident.status.as_str().into())),
    ("severity_reasoning", |incident| incident.severity_reasoning.as_deref().map(Cow::from)),
    ("source", |incident| incident.source.as_deref().map(Cow::from)),
    ("assigned_to", |incident| incident.assigned_to.as_ref().map(|person| person.id.to_string().into())),
    ("occurred_date", |incident| date(incident.occurred_date)),
    ("detected_date", |incident| date(Some(incident.detected_date))),
    ("responded_date", |incident| date(incident.responded_date)),
    ("contained_date", |incident| date(incident.contained_date)),
    ("deleted_date", |incident| date(incident.deleted_date)),
];

fn date(at: Option<Timestamp>) -> Option<Cow<'static, str>> {
    at.map(|at| format(at).into())
}

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
    let value = |(name, value): &Field| ((*name).to_owned(), Value::from(value(incident)));
    Current {
        subject_kind: "incident",
        subject_id: incident.number.to_string(),
        seq_from: Some(incident.seq_from),
        fields: FIELDS.iter().map(value).collect::<HashMap<_, _>>(),
    }
}
