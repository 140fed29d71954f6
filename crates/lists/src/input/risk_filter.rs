//! The filters of the list of risks.

use domain::Actor;
use domain::acceptance::{RiskAcceptance, RiskDecision};
use domain::risk::{EvaluationDue, ReviewDue, Risk, RiskStatus, Treatment};
use http::query::{Controls, OneWord, People, Query, Tags, Texts, Time, Words};
use store::list::{Match, TagFilter, TimeRange};
use store::risks::{DueFilter, RiskFilter};
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterIn};

use super::text_filters;

/// The filters, for the OpenAPI document.
pub struct RiskFilterParams;

impl IntoParams for RiskFilterParams {
    fn into_params(place: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        OtherParams::into_params(place).into_iter().chain(text_filters::described::<Risk>("Risks")).collect()
    }
}

http::parameters! {
    /// The filters but for those of texts.
    struct OtherParams {
        /// Risks with one of these statuses.
        status: Words<RiskStatus>,
        /// Risks of one of these owners; `none` is a risk without one.
        owner: People,
        /// Risks with one of these treatments.
        treatment: Words<Treatment>,
        /// Risks that one of these controls concerns.
        control: Controls,
        /// Risks with these tags.
        tag: Tags,
        /// How many of these tags a risk must have; `any` unless it is sent.
        tag_mode: OneWord<Match>,
        /// Open risks whose next review is due in one of these ways.
        review: Words<ReviewDue>,
        /// Risks that lack one of these evaluations.
        evaluation: Words<EvaluationDue>,
        /// Risks whose latest evaluation is in a band with one of these names, without regard to case.
        #[example = "High"]
        band: Texts,
        /// Risks whose acceptances are in one of these states.
        acceptance: Words<RiskAcceptance>,
        /// Open risks whose band wants a decision of the owner or of named people, with no acceptance in force.
        decision: OneWord<RiskDecision>,
        /// Risks created from this time on.
        created_from: Time,
        /// Risks created before this time.
        created_to: Time,
        /// Risks whose latest evaluation describes this time or a later one.
        evaluated_from: Time,
        /// Risks whose latest evaluation describes an earlier time than this.
        evaluated_to: Time,
        /// Risks changed from this time on; evaluations and tags do not count as a change.
        updated_since: Time,
    }
}

/// Reads the filters; `caller` is the person who is meant by `me`.
pub fn read(query: &mut Query<'_>, caller: &Actor) -> RiskFilter {
    let it = OtherParams::read(query);
    RiskFilter {
        status: it.status,
        owner: query.people("owner", &it.owner, caller),
        treatment: it.treatment,
        control: it.control,
        texts: text_filters::read::<Risk>(query),
        tags: TagFilter { tags: it.tag, mode: it.tag_mode },
        created: query.times(("created_from", it.created_from), ("created_to", it.created_to)),
        updated: TimeRange { from: it.updated_since, before: None },
        evaluated: query.times(("evaluated_from", it.evaluated_from), ("evaluated_to", it.evaluated_to)),
        due: DueFilter { review: it.review, evaluation: it.evaluation },
        band: it.band,
        acceptance: it.acceptance,
        decision: it.decision,
        q: query.search(),
    }
}
