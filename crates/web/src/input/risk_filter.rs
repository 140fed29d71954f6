//! The filters of the list of risks.

use domain::Actor;
use store::risks::RiskFilter;

use crate::http::query::Query;

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
