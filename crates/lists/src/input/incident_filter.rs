//! The filters of the list of incidents.

use domain::Actor;
use domain::figures::Figure;
use domain::incident::{Category, Incident, Kind, Status};
use domain::severity::Severity;
use http::query::{PersonParam, Query};
use http::timestamp::Timestamp;
use http::word::OneOf;
use store::incidents::IncidentFilter;
use store::list::{FigureFilter, Match, TimeRange};
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterIn};
use uuid::Uuid;

use super::text_filters;

type StatusParam = OneOf<Status>;
type CategoryParam = OneOf<Category>;
type SeverityParam = OneOf<Severity>;
type KindParam = OneOf<Kind>;
type FigureParam = OneOf<Figure>;
type MatchParam = OneOf<Match>;

/// The filters, for the OpenAPI document.
pub struct IncidentFilterParams;

impl IntoParams for IncidentFilterParams {
    fn into_params(place: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        OtherParams::into_params(place)
            .into_iter()
            .chain(text_filters::described::<Incident>("Incidents"))
            .collect()
    }
}

/// The filters but for those of texts.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters, which `read` reads")]
struct OtherParams {
    /// Incidents with one of these statuses.
    #[param(inline)]
    status: Option<Vec<StatusParam>>,
    /// Incidents with a status of this category.
    #[param(inline)]
    category: Option<Vec<CategoryParam>>,
    /// Incidents of one of these severities.
    #[param(inline)]
    severity: Option<Vec<SeverityParam>>,
    /// Incidents of one of these kinds.
    #[param(inline)]
    kind: Option<Vec<KindParam>>,
    /// Incidents assigned to one of these users; `none` is an incident without an assignee.
    #[param(inline)]
    assigned_to: Option<Vec<PersonParam>>,
    /// Incidents with these tags.
    tag: Option<Vec<Uuid>>,
    /// How many of these tags an incident must have; `any` unless it is sent.
    #[param(inline)]
    tag_mode: Option<MatchParam>,
    /// Incidents detected from this time on.
    #[param(inline)]
    detected_from: Option<Timestamp>,
    /// Incidents detected before this time.
    #[param(inline)]
    detected_to: Option<Timestamp>,
    /// Incidents changed from this time on.
    #[param(inline)]
    updated_since: Option<Timestamp>,
    /// Incidents that figures count and one of these figures measures: both dates are there, the second not before the first.
    #[param(inline)]
    measured: Option<Vec<FigureParam>>,
    /// Incidents that figures count and that lack a date of one of these figures.
    #[param(inline)]
    missing: Option<Vec<FigureParam>>,
    /// Incidents that figures count and whose dates are reversed for one of these figures.
    #[param(inline)]
    invalid: Option<Vec<FigureParam>>,
    /// Incidents that figures count and whose second date of one of these figures is still to come.
    #[param(inline)]
    open: Option<Vec<FigureParam>>,
}

/// Reads the filters; `caller` is the person who is meant by `me`.
pub fn read(query: &mut Query<'_>, caller: &Actor) -> IncidentFilter {
    IncidentFilter {
        status: query.words("status"),
        category: query.words("category"),
        severity: query.words("severity"),
        kind: query.words("kind"),
        assigned_to: query.people("assigned_to", caller),
        texts: text_filters::read::<Incident>(query),
        tags: query.tags(),
        detected: query.times("detected_from", "detected_to"),
        updated: TimeRange { from: query.time("updated_since"), before: None },
        figures: FigureFilter {
            measured: query.words("measured"),
            missing: query.words("missing"),
            invalid: query.words("invalid"),
            open: query.words("open"),
        },
        q: query.search(),
    }
}
