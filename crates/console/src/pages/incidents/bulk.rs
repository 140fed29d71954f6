//! What can be done to many incidents at once.

use domain::incident::Transition;
use std::collections::HashMap;

use db::Tx;
use domain::IncidentNumber;
use domain::bulk::BulkOperation;
use domain::incident::{Incident, IncidentPatch, ResolutionReason, Status};
use domain::json;
use domain::tag::TagReference;

use crate::frame::form::{As, Form};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::words;
use crate::pages::listed::bulk::{Field, Input, Now, Operation, Record, members};
use crate::texts;

domain::words! {
    "ConsoleBulk"
    /// What is changed.
    pub(crate) enum What {
        /// Who works on them.
        Assign = "assign",
        /// Their status.
        Status = "status",
        /// A tag is put on.
        Tag = "tag",
        /// A tag is taken off.
        Untag = "untag",
    }
}

impl Operation for What {
    type Record = Incident;

    fn label(self) -> &'static str {
        match self {
            Self::Assign => texts::ASSIGN,
            Self::Status => texts::CHANGE_STATUS,
            Self::Tag => texts::TAG,
            Self::Untag => texts::REMOVE_TAG,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Assign => texts::ASSIGN_INCIDENTS,
            Self::Status => texts::CHANGE_INCIDENT_STATUS,
            Self::Tag => texts::ADD_TAG_TO_INCIDENTS,
            Self::Untag => texts::REMOVE_TAG_FROM_INCIDENTS,
        }
    }

    fn fields(self) -> Vec<Field> {
        match self {
            Self::Assign => vec![Field {
                name: "assigned_to",
                sent_as: As::TextOrNull,
                label: texts::ASSIGNEE,
                note: "",
                input: Input::Person,
            }],
            Self::Status => status_fields(),
            Self::Tag | Self::Untag => vec![Field::tag()],
        }
    }

    fn read(self, form: &Form, request: &PageRequest) -> Result<BulkOperation<IncidentPatch>> {
        let (members, clock) = (members(self), &request.clock);
        let change = |patch| BulkOperation::Change(Box::new(patch));
        Ok(match self {
            Self::Assign => change(form.read_as(&members, clock, json::body)?),
            Self::Status => change(form.read_as(&members, clock, json::body::<Transition>)?.into()),
            Self::Tag => {
                BulkOperation::Tag(form.read_as::<TagReference>(&members, clock, json::body)?.tag_id)
            }
            Self::Untag => {
                BulkOperation::Untag(form.read_as::<TagReference>(&members, clock, json::body)?.tag_id)
            }
        })
    }

    async fn records(
        tx: &mut Tx,
        request: &PageRequest,
        numbers: &[IncidentNumber],
    ) -> store::Result<HashMap<IncidentNumber, Record>> {
        let found = store::incidents::get_many(tx, request.id(), &request.viewer(), numbers).await?;
        let record = |it: Incident| (it.number, Record { title: it.title, now: Now::Incident(it.status) });
        Ok(found.into_iter().map(record).collect())
    }
}

fn status_fields() -> Vec<Field> {
    let status = Status::ALL.iter().map(|it| (it.as_str().to_owned(), it.label().to_owned())).collect();
    // A duplicate names its original, for which this form has no field.
    let reasons = ResolutionReason::ALL.iter().filter(|it| **it != ResolutionReason::Duplicate);
    let reasons = reasons.map(|it| (it.as_str().to_owned(), words::label(it)));
    let reasons = std::iter::once((String::new(), String::new())).chain(reasons).collect();
    let field = |name, sent_as, label, note, input| Field { name, sent_as, label, note, input };
    vec![
        field("to", As::Text, texts::STATUS, "", Input::Word(status)),
        field(
            "resolution_reason",
            As::TextOrNull,
            texts::RESOLUTION,
            texts::FOR_RESOLVED_AND_DISMISSED,
            Input::Word(reasons),
        ),
        field("resolution_summary", As::TextOrNull, texts::RESOLUTION_SUMMARY, texts::OPTIONAL, Input::Prose),
        field("responded_date", As::Time, texts::RESPONDED, texts::IF_WITHOUT_RESPONSE, Input::Time),
        field("reason", As::TextOrNull, texts::REASON, texts::TO_REOPEN_OR_DISMISS, Input::Line(2_000)),
    ]
}
