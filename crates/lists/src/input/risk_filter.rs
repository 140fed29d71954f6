//! The filters of the list of risks.

use domain::Actor;
use domain::risk::RiskStatus;
use http::query::{PersonParam, Query, TextParam};
use http::word::OneOf;
use store::list::Match;
use store::risks::RiskFilter;

use uuid::Uuid;

type RiskStatusParam = OneOf<RiskStatus>;
type MatchParam = OneOf<Match>;

/// The filters, for the OpenAPI document.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters, which `read` reads")]
pub struct RiskFilterParams {
    /// Risks with one of these statuses.
    #[param(inline)]
    status: Option<Vec<RiskStatusParam>>,
    /// Risks of one of these owners; `none` is a risk without one.
    #[param(inline)]
    owner: Option<Vec<PersonParam>>,
    /// Risks of one of these categories, compared exactly.
    #[param(inline)]
    category: Option<Vec<TextParam>>,
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
        category: query.texts("category"),
        tags: query.tags(),
        q: query.search(),
    }
}
