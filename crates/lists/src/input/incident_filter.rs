//! The filters of the list of incidents.

use domain::Actor;
use domain::figures::Figure;
use domain::incident::{Category, Incident, Kind, Status};
use domain::severity::Severity;
use http::query::{OneWord, People, Query, Tags, Time, Words};
use store::incidents::IncidentFilter;
use store::list::{FigureFilter, Match, TagFilter, TimeRange};
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterIn};

use super::text_filters;

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

http::parameters! {
    /// The filters but for those of texts.
    struct OtherParams {
        /// Incidents with one of these statuses.
        status: Words<Status>,
        /// Incidents with a status of this category.
        category: Words<Category>,
        /// Incidents of one of these severities.
        severity: Words<Severity>,
        /// Incidents of one of these kinds.
        kind: Words<Kind>,
        /// Incidents assigned to one of these users; `none` is an incident without an assignee.
        assigned_to: People,
        /// Incidents with these tags.
        tag: Tags,
        /// How many of these tags an incident must have; `any` unless it is sent.
        tag_mode: OneWord<Match>,
        /// Incidents detected from this time on.
        detected_from: Time,
        /// Incidents detected before this time.
        detected_to: Time,
        /// Incidents created from this time on.
        created_from: Time,
        /// Incidents created before this time.
        created_to: Time,
        /// Incidents resolved from this time on.
        resolved_from: Time,
        /// Incidents resolved before this time.
        resolved_to: Time,
        /// Incidents closed or dismissed from this time on.
        closed_from: Time,
        /// Incidents closed or dismissed before this time.
        closed_to: Time,
        /// Incidents changed from this time on.
        updated_since: Time,
        /// Incidents that figures count and one of these figures measures: both dates are there, the second not before the first.
        measured: Words<Figure>,
        /// Incidents that figures count and that lack a date of one of these figures.
        missing: Words<Figure>,
        /// Incidents that figures count and whose dates are reversed for one of these figures.
        invalid: Words<Figure>,
        /// Incidents that figures count and whose second date of one of these figures is still to come.
        open: Words<Figure>,
    }
}

/// Reads the filters; `caller` is the person who is meant by `me`.
pub fn read(query: &mut Query<'_>, caller: &Actor) -> IncidentFilter {
    let it = OtherParams::read(query);
    IncidentFilter {
        status: it.status,
        category: it.category,
        severity: it.severity,
        kind: it.kind,
        assigned_to: query.people("assigned_to", &it.assigned_to, caller),
        texts: text_filters::read::<Incident>(query),
        tags: TagFilter { tags: it.tag, mode: it.tag_mode },
        detected: query.times(("detected_from", it.detected_from), ("detected_to", it.detected_to)),
        created: query.times(("created_from", it.created_from), ("created_to", it.created_to)),
        resolved: query.times(("resolved_from", it.resolved_from), ("resolved_to", it.resolved_to)),
        closed: query.times(("closed_from", it.closed_from), ("closed_to", it.closed_to)),
        updated: TimeRange { from: it.updated_since, before: None },
        figures: FigureFilter {
            measured: it.measured,
            missing: it.missing,
            invalid: it.invalid,
            open: it.open,
        },
        q: query.search(),
    }
}
