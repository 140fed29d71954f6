//! `GET /v1/incidents/metrics`

use std::collections::BTreeMap;

use auth::PublicUrl;
use domain::ResourceKind;
use domain::figures::{Exclusion, Figure, FigureStatus, Outcome, Summaries, Summary};
use domain::incident::Sees;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::{Error, Result};
use http::timestamp::Timestamp;
use http::word::OneOf;
use jiff::tz::TimeZone;
use lists::input::incident_figures::{self, Behind, FigureParams};
use serde::Serialize;
use store::incidents::{FigureQuery, Figures, Group};
use utoipa::ToSchema;

pub(crate) type FigureView = OneOf<Figure>;
type FigureStatusView = OneOf<FigureStatus>;

/// Figures of incidents. Lengths are in seconds; percentiles are read off by linear interpolation between the two nearest
/// values (R-7, the default of NumPy and of spreadsheets).
#[derive(Serialize, ToSchema)]
#[schema(as = IncidentMetrics)]
struct MetricsView {
    /// The begin of the period.
    from: Option<Timestamp>,
    /// The end of the period, which is not part of it.
    to: Option<Timestamp>,
    /// The time zone of weeks and months: that of the organization.
    #[schema(examples("Europe/Berlin"), max_length = 100)]
    time_zone: String,
    /// Whether restricted incidents of others are counted too: whether the caller sees all.
    includes_restricted: bool,
    /// How many incidents of the period are in no figure, and why.
    excluded: ExcludedView,
    /// The figures of all incidents.
    #[serde(flatten)]
    all: FiguresView,
    /// The figures of each group, those without an incident too; without `group_by` there are none. At most 1,200: the tags with
    /// the most incidents, or the latest weeks or months that have one.
    #[schema(max_items = 1200)]
    groups: Vec<GroupView>,
}

/// How many incidents are in no figure. An incident counts once, for the first reason.
#[derive(Serialize, ToSchema)]
#[schema(as = IncidentMetricsExcluded)]
struct ExcludedView {
    /// Deleted ones.
    deleted: i64,
    /// Drills.
    drill: i64,
    /// Tests.
    test: i64,
    /// Dismissed ones.
    dismissed: i64,
    /// Those that were recorded long after they happened, unless `include` has them.
    retrospective: i64,
    /// Those that nearly happened, unless `include` has them.
    near_miss: i64,
}

/// The figures of a group.
#[derive(Serialize, ToSchema)]
#[schema(as = IncidentMetricsGroup)]
struct GroupView {
    /// The severity, the kind, the id of the tag, the month such as `2026-11`, or the week of ISO 8601 such
    /// as `2026-W48`.
    #[schema(max_length = 36, examples("2026-11"))]
    value: String,
    /// The name of the tag; absent for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 200)]
    label: Option<String>,
    #[serde(flatten)]
    figures: FiguresView,
}

/// Every figure over the same incidents.
#[derive(Serialize, ToSchema)]
#[schema(as = IncidentMetricsFigures)]
struct FiguresView {
    /// How many incidents there are.
    total: usize,
    /// The list of these incidents.
    #[schema(
        format = "uri-reference",
        max_length = 8192,
        examples("/v1/incidents?status=new&status=closed&kind=real")
    )]
    incidents: String,
    /// The figures.
    #[schema(max_items = 7)]
    figures: Vec<FigureSummaryView>,
}

/// One figure. `n`, `n_invalid`, `n_open` and `n_missing` add up to `total`. Lengths are null when nothing was measured.
#[derive(Serialize, ToSchema)]
#[schema(as = IncidentMetricsFigure)]
struct FigureSummaryView {
    /// The figure.
    figure: FigureView,
    /// How many incidents were measured: both dates are there, the second not before the first.
    n: usize,
    /// How many have the second date before the first.
    n_invalid: usize,
    /// How many have the second date still to come.
    n_open: usize,
    /// How many lack a date.
    n_missing: usize,
    /// The shortest.
    #[schema(minimum = 0)]
    min_seconds: Option<f64>,
    /// The median.
    #[schema(minimum = 0)]
    p50_seconds: Option<f64>,
    /// What nine of ten do not exceed.
    #[schema(minimum = 0)]
    p90_seconds: Option<f64>,
    /// The longest.
    #[schema(minimum = 0)]
    max_seconds: Option<f64>,
    /// The geometric mean; a length of zero counts as one second.
    #[schema(minimum = 0)]
    geometric_mean_seconds: Option<f64>,
    /// How far the figure can be relied on.
    status: FigureStatusView,
    /// The lists of the incidents behind each count.
    incidents: FigureListsView,
}

/// The lists of the incidents behind the counts of a figure.
#[derive(Serialize, ToSchema)]
#[schema(as = IncidentMetricsLists)]
struct FigureListsView {
    /// The incidents of `n`.
    #[schema(
        format = "uri-reference",
        max_length = 8192,
        examples("/v1/incidents?measured=time_to_respond&kind=real")
    )]
    measured: String,
    /// The incidents of `n_invalid`.
    #[schema(
        format = "uri-reference",
        max_length = 8192,
        examples("/v1/incidents?invalid=time_to_respond&kind=real")
    )]
    invalid: String,
    /// The incidents of `n_open`.
    #[schema(
        format = "uri-reference",
        max_length = 8192,
        examples("/v1/incidents?open=time_to_respond&kind=real")
    )]
    open: String,
    /// The incidents of `n_missing`.
    #[schema(
        format = "uri-reference",
        max_length = 8192,
        examples("/v1/incidents?missing=time_to_respond&kind=real")
    )]
    missing: String,
}

/// Read the figures of incidents
///
/// How long incidents take to be detected, responded to, contained, resolved, closed and reported. Drills, tests, dismissed
/// and deleted incidents are in no figure. There is no plain mean: a single long incident would decide it.
#[utoipa::path(
    get,
    path = "/v1/incidents/metrics",
    operation_id = "read_incident_metrics",
    tag = "Incidents",
    params(FigureParams),
    responses((status = 200, description = "The figures", body = MetricsView))
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let asked = incident_figures::read(&mut query);
    query.finish()?;
    let (id, viewer) = (request.organization(), request.viewer());
    let mut tx = request.app.db().read().await?;
    let organization = store::organizations::get(&mut tx, id).await?;
    let organization = organization.ok_or(Error::not_found(ResourceKind::Organization))?;
    let found = store::incidents::figures(&mut tx, &organization, &viewer, &asked).await?;
    let zone = organization.time_zone();
    let views = Views { asked: &asked, zone: &zone, public_url: &request.app.auth().public_url };
    Answer::record(None, &views.metrics(organization.time_zone_name(), viewer.sees() == Sees::All, &found))
}

/// What views of figures have in common.
struct Views<'a> {
    asked: &'a FigureQuery,
    zone: &'a TimeZone,
    public_url: &'a PublicUrl,
}

impl Views<'_> {
    fn metrics(&self, time_zone: &str, includes_restricted: bool, found: &Figures) -> MetricsView {
        let detected = self.asked.filter.detected;
        let group = |(group, summaries): &(Group, Summaries)| self.group(group, summaries);
        MetricsView {
            from: detected.from.map(Timestamp::from),
            to: detected.before.map(Timestamp::from),
            time_zone: time_zone.to_owned(),
            includes_restricted,
            excluded: excluded(&found.excluded),
            all: self.figures(None, &found.all),
            groups: found.groups.iter().map(group).collect(),
        }
    }

    fn group(&self, group: &Group, summaries: &Summaries) -> GroupView {
        let (value, label) = match group {
            Group::Severity(severity) => (severity.as_str().to_owned(), None),
            Group::Kind(kind) => (kind.as_str().to_owned(), None),
            Group::Tag(id, name) => (id.to_string(), Some(name.clone())),
            Group::Period(period) => (period.to_string(), None),
        };
        GroupView { value, label, figures: self.figures(Some(group), summaries) }
    }

    fn figures(&self, group: Option<&Group>, summaries: &Summaries) -> FiguresView {
        let figure = |(figure, summary): &(Figure, Summary)| self.figure(group, *figure, summary);
        FiguresView {
            total: summaries.total,
            incidents: self.list(group, None),
            figures: summaries.figures.iter().map(figure).collect(),
        }
    }

    fn figure(&self, group: Option<&Group>, figure: Figure, it: &Summary) -> FigureSummaryView {
        let list = |outcome| self.list(group, Some((figure, outcome)));
        FigureSummaryView {
            figure: figure.into(),
            n: it.n,
            n_invalid: it.n_invalid,
            n_open: it.n_open,
            n_missing: it.n_missing,
            min_seconds: it.min,
            p50_seconds: it.p50,
            p90_seconds: it.p90,
            max_seconds: it.max,
            geometric_mean_seconds: it.geometric_mean,
            status: it.status().into(),
            incidents: FigureListsView {
                measured: list(Outcome::Measured),
                invalid: list(Outcome::Invalid),
                open: list(Outcome::Open),
                missing: list(Outcome::Missing),
            },
        }
    }

    fn list(&self, group: Option<&Group>, found: Option<(Figure, Outcome)>) -> String {
        let behind = Behind { asked: self.asked, group, found, zone: self.zone };
        self.public_url.path_to(&format!("/v1/incidents?{}", behind.query()))
    }
}

fn excluded(counts: &BTreeMap<Exclusion, i64>) -> ExcludedView {
    let count = |exclusion| counts.get(&exclusion).copied().unwrap_or(0);
    ExcludedView {
        deleted: count(Exclusion::Deleted),
        drill: count(Exclusion::Drill),
        test: count(Exclusion::Test),
        dismissed: count(Exclusion::Dismissed),
        retrospective: count(Exclusion::Retrospective),
        near_miss: count(Exclusion::NearMiss),
    }
}
