//! `GET /v1/incidents/{id}/timeline`

use domain::organization::zone_named;
use domain::timeline::ShownChange;
use domain::{IncidentNumber, ResourceKind};
use jiff::tz::TimeZone;
use serde::Serialize;
use store::incidents::{TimelineItem, TimelinePosition, TimelineQuery, TimelineSort};
use utoipa::ToSchema;

use crate::api::shared::ActorView;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::http::page::{List, PageParams};
use crate::http::query::SortParam;
use crate::http::timestamp::Timestamp;

/// Something that happened to an incident.
#[derive(Serialize, ToSchema)]
#[schema(as = TimelineItem)]
struct ItemView {
    /// The number of the journal entry that tells of it.
    #[schema(minimum = 1)]
    seq: i64,
    /// When it happened.
    at: Timestamp,
    /// Who did it, with the actor's current name.
    actor: ActorView,
    /// The kind of the journal entry.
    #[schema(examples("incident.status_changed"))]
    kind: String,
    /// A sentence for people. Names are those of today.
    #[schema(examples("Ada Lovelace changed the status from New to Investigating"))]
    text: String,
    /// Each changed field. Empty if the journal's payload was erased.
    #[schema(max_items = 10000)]
    changes: Vec<ChangeView>,
}

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
    fn from(item: TimelineItem) -> Self {
        Self {
            seq: item.seq,
            at: item.at.into(),
            actor: item.actor.into(),
            kind: item.kind,
            text: item.text,
            changes: item.changes.into_iter().map(ChangeView::from).collect(),
        }
    }
}

/// The zone of the dates, for the OpenAPI document.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameter, which `list` reads")]
pub(crate) struct ZoneParam {
    /// The time zone of the dates in sentences and in `from` and `to`, by its IANA name.
    #[param(default = "UTC", max_length = 100, example = "Europe/Berlin")]
    time_zone: Option<String>,
}

/// Read the timeline of an incident
///
/// What happened to the incident, in sentences for people: each journal entry about it, with who did it and when, the
/// latest first.
#[utoipa::path(
    get,
    path = "/v1/incidents/{id}/timeline",
    operation_id = "list_incident_timeline",
    tag = "Incidents",
    params(
        ("id" = String, Path, description = "`INC-0001`, also `inc-1` or `1`"),
        ZoneParam,
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
    let expected = "must be a time zone of the IANA database, such as Europe/Berlin";
    let zone = query.parsed("time_zone", expected, zone_named).unwrap_or(TimeZone::UTC);
    let asked = TimelineQuery { sort: query.sort::<TimelineSort>(), after: page.after, zone };
    query.finish()?;
    let (organization, viewer) = (request.organization(), request.viewer());
    let mut tx = request.app.db().read().await?;
    let rows =
        store::incidents::timeline(&mut tx, organization, &viewer, number, &asked, page.limit).await?;
    let total = page.total(store::incidents::timeline_count(&mut tx, organization, number)).await?;
    Answer::list(&request.list(rows, total, |item| item.position, ItemView::from))
}
