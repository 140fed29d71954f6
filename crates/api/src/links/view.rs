//! A link as responses show it.

use domain::IncidentNumber;
use domain::link::{LinkDirection, LinkKind, LinkedType};
use domain::severity::Severity;
use http::timestamp::Timestamp;
use http::word::OneOf;
use serde::Serialize;
use store::links::{Linked, LinkedRecord};
use utoipa::ToSchema;

use crate::shared::ActorView;

/// A link of an incident.
#[derive(Serialize, ToSchema)]
#[schema(as = Link)]
pub(crate) struct LinkView {
    /// The incident that the link belongs to. Its id and the number name the link.
    incident: IncidentNumber,
    /// The number, counted per incident.
    #[schema(minimum = 1)]
    number: i64,
    /// What the other end is to the incident that the link belongs to.
    kind: LinkKindView,
    /// Whether the link belongs to the record that it is read at, or to the incident at the other end.
    direction: LinkDirectionView,
    /// The record at the other end.
    record: LinkedRecordView,
    /// Who added the link.
    created_by: ActorView,
    /// When the link was added.
    created_date: Timestamp,
}

type LinkKindView = OneOf<LinkKind>;
type LinkDirectionView = OneOf<LinkDirection>;
type LinkedTypeView = OneOf<LinkedType>;
type SeverityView = OneOf<Severity>;

/// The record at the other end of a link, as it is now.
#[derive(Serialize, ToSchema)]
#[schema(as = LinkedRecord, examples(json!({"type": "risk"})))]
struct LinkedRecordView {
    /// What it is.
    #[serde(rename = "type")]
    linked_type: LinkedTypeView,
    /// Its id; null for a URL.
    #[schema(max_length = 200, examples("RSK-1"))]
    id: Option<String>,
    /// The address; null for a record.
    #[schema(max_length = 2048)]
    url: Option<String>,
    /// Its title; null for a URL without one.
    #[schema(max_length = 200, examples("Loss of the only data centre"))]
    title: Option<String>,
    /// Its status; null for a URL.
    #[schema(max_length = 100, examples("open"))]
    status: Option<String>,
    /// The severity of an incident; null otherwise.
    severity: Option<SeverityView>,
    /// When an incident was detected; null otherwise.
    detected_date: Option<Timestamp>,
}

impl From<Linked> for LinkView {
    fn from(Linked { link, direction, other }: Linked) -> Self {
        let LinkedRecord { linked_type, id, title, status, severity, detected_date } = other;
        Self {
            incident: link.incident,
            number: link.number,
            kind: link.kind.into(),
            direction: direction.into(),
            record: LinkedRecordView {
                linked_type: linked_type.into(),
                id,
                url: link.url,
                title,
                status,
                severity: severity.map(OneOf),
                detected_date: detected_date.map(Timestamp),
            },
            created_by: link.created_by.into(),
            created_date: link.created_date.into(),
        }
    }
}
