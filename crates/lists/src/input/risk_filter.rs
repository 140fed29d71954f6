//! The filters of the list of risks.

use domain::Actor;
use domain::risk::{Risk, RiskStatus};
use http::query::{OneWord, People, Query, Tags, Words};
use store::list::{Match, TagFilter};
use store::risks::RiskFilter;
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
        /// Risks with these tags.
        tag: Tags,
        /// How many of these tags a risk must have; `any` unless it is sent.
        tag_mode: OneWord<Match>,
    }
}

/// Reads the filters; `caller` is the person who is meant by `me`.
pub fn read(query: &mut Query<'_>, caller: &Actor) -> RiskFilter {
    let OtherParams { status, owner, tag, tag_mode } = OtherParams::read(query);
    RiskFilter {
        status,
        owner: query.people("owner", &owner, caller),
        texts: text_filters::read::<Risk>(query),
        tags: TagFilter { tags: tag, mode: tag_mode },
        q: query.search(),
    }
}
