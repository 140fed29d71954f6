//! The filters of the list of risks.

use domain::Actor;
use domain::risk::{Risk, RiskStatus};
use http::query::{PersonParam, Query};
use http::word::OneOf;
use store::list::Match;
use store::risks::RiskFilter;
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterIn};
use uuid::Uuid;

use super::text_filters;

type RiskStatusParam = OneOf<RiskStatus>;
type MatchParam = OneOf<Match>;

/// The filters, for the OpenAPI document.
pub struct RiskFilterParams;

impl IntoParams for RiskFilterParams {
    fn into_params(place: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        OtherParams::into_params(place).into_iter().chain(text_filters::described::<Risk>("Risks")).collect()
    }
}

/// The filters but for those of texts.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters, which `read` reads")]
struct OtherParams {
    /// Risks with one of these statuses.
    #[param(inline)]
    status: Option<Vec<RiskStatusParam>>,
    /// Risks of one of these owners; `none` is a risk without one.
    #[param(inline)]
    owner: Option<Vec<PersonParam>>,
    /// Risks with these tags.
    tag: Option<Vec<Uuid>>,
    /// How many of these tags a risk must have; `any` unless it is sent.
    #[param(inline)]
    tag_mode: Option<MatchParam>,
}

/// Reads the filters; `caller` is the person who is meant by `me`.
pub fn read(query: &mut Query<'_>, caller: &Actor) -> RiskFilter {
    RiskFilter {
        status: query.words("status"),
        owner: query.people("owner", caller),
        texts: text_filters::read::<Risk>(query),
        tags: query.tags(),
        q: query.search(),
    }
}
