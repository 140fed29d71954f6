//! `GET /v1/incidents/{id}/timeline`

use domain::organization::zone_named;
use domain::timeline::ShownChange;
use domain::{IncidentNumber, ResourceKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use http::query::{Parameter, Query, SortParam, Words};
use http::timestamp::Timestamp;
use http::word::OneOf;
use jiff::tz::TimeZone;
use serde::Serialize;
use store::incidents::{
    TimelineItem, TimelinePosition, TimelineQuery, TimelineSort, TimelineType, TimelineWhat,
};
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};

use crate::shared::ActorView;

/// A change of an incident, or a note about it.
#[derive(Serialize, ToSchema)]
#[schema(as = TimelineItem)]
struct ItemView {
    /// What it is.
    #[serde(rename = "type")]
    item_type: TypeView,
    /// The number of its journal entry.
    #[schema(minimum = 1)]
    seq: i64,
    /// When it happened; of a note its event time.
    #[schema(examples("2026-03-01T09:30:00.000000Z"))]
    at: Timestamp,
    /// Who did or wrote it, with the actor's current name.
    actor: ActorView,
    /// Of a change a sentence for people, with the names of today; else what was written, as Markdown.
    #[schema(max_length = 65_536, examples("Ada Lovelace changed the status from New to Investigating"))]
    text: String,
    /// The kind of the journal entry of a change, or the kind of a note.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 100, examples("incident.status_changed"))]
    kind: Option<String>,
    /// Each changed field; only of a change. Empty if the journal's payload was erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<ChangeView>, required = false, max_items = 10000)]
    changes: Option<Vec<ChangeView>>,
    /// The number of the note.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false, minimum = 1)]
    number: Option<i64>,
    /// Whether the note is among the most important ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    pinned: Option<bool>,
    /// When the note was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Timestamp, required = false)]
    created_date: Option<Timestamp>,
    /// When it was last edited; absent if never.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Timestamp, required = false)]
    edited_date: Option<Timestamp>,
}

type TypeView = OneOf<TimelineType>;

/// A changed field, as people read it. The journal has the values themselves.
#[derive(Serialize, ToSchema)]
#[schema(as = TimelineChange)]
struct ChangeView {
    /// The name of the field in the journal; of a part of the incident with a prefix, such as `tasks/3/title`.
    #[schema(max_length = 300, examples("status"))]
    field: String,
    /// What people call the field.
    #[schema(max_length = 300, examples("Status"))]
    label: String,
    /// The value before; null if there was none, or if it is no text. A long text is cut.
    #[schema(max_length = 20000, examples("New"))]
    from: Option<String>,
    /// The value after.
    #[schema(max_length = 20000, examples("Investigating"))]
    to: Option<String>,
}

impl From<ShownChange> for ChangeView {
    fn from(ShownChange { field, label, from, to }: ShownChange) -> Self {
        Self { field, label, from, to }
    }
}

impl From<TimelineItem> for ItemView {
    fn from(TimelineItem { seq, at, actor, text, what, .. }: TimelineItem) -> Self {
        let item = |item_type: TimelineType| Self {
            item_type: item_type.into(),
            seq,
            at: at.into(),
            actor: actor.into(),
            text,
            kind: None,
            changes: None,
            number: None,
            pinned: None,
            created_date: None,
            edited_date: None,
        };
        match what {
            TimelineWhat::Change { kind, changes } => {
                let changes = changes.into_iter().map(ChangeView::from).collect();
                Self { kind: Some(kind), changes: Some(changes), ..item(TimelineType::Change) }
            }
            TimelineWhat::Note { number, kind, pinned, created_date, edited_date } => Self {
                kind: Some(kind.to_string()),
                number: Some(number),
                pinned: Some(pinned),
                created_date: Some(created_date.into()),
                edited_date: edited_date.map(Timestamp),
                ..item(TimelineType::Note)
            },
        }
    }
}

http::parameters! {
    /// What a caller can choose.
    pub(crate) struct TimelineParams {
        /// Items of this type.
        r#type: Words<TimelineType>,
        /// The time zone of the dates in sentences and in `from` and `to`, by its IANA name.
        #[example = "Europe/Berlin"]
        time_zone: ZoneName = "UTC",
    }
}

/// The name of a time zone.
pub(crate) struct ZoneName;

impl Parameter for ZoneName {
    type Value = Option<TimeZone>;

    fn read(query: &mut Query<'_>, name: &'static str) -> Option<TimeZone> {
        query.parsed(name, "must be a time zone of the IANA database, such as Europe/Berlin", zone_named)
    }

    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).max_length(Some(100)).into()
    }
}

/// Read the timeline of an incident
///
/// What happened to the incident, in sentences for people, and what people wrote about it: notes at the time that they
/// speak of. The latest first. A deleted or restored note is a change; edits are not, but the item has its `edited_date`.
#[utoipa::path(
    get,
    path = "/v1/incidents/{id}/timeline",
    operation_id = "list_incident_timeline",
    tag = "Incidents",
    params(
        crate::path::IncidentId,
        TimelineParams,
        SortParam<TimelineSort>,
        PageParams,
    ),
    responses(
        (status = 200, description = "The timeline", body = List<ItemView>),
        (status = 404, description = "Incident not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let number = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    let mut query = request.query();
    let page = request.page::<TimelinePosition>(&mut query);
    let TimelineParams { r#type: types, time_zone } = TimelineParams::read(&mut query);
    let (after, zone) = (page.after.clone(), time_zone.unwrap_or(TimeZone::UTC));
    let asked = TimelineQuery { types, sort: query.sort::<TimelineSort>(), after, zone };
    query.finish()?;
    let (organization, viewer) = (request.organization(), request.viewer());
    let mut tx = request.app.db().read().await?;
    let rows = store::incidents::timeline(&mut tx, organization, &viewer, number, &asked, page.limit).await?;
    let total = page.total(store::incidents::timeline_count(&mut tx, organization, number, &asked)).await?;
    Answer::list(&request.list(rows, total, |item| item.position.clone(), ItemView::from))
}
