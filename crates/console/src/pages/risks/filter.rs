//! The risks that a page is about.

use domain::risk::RiskStatus;
use store::risks::RiskFilter;
use web::http::query::Query;
use web::input::risk_filter;

use crate::frame::page_request::PageRequest;

/// The risks that are asked for: the open ones without a search and without a filter of status.
pub(super) fn asked_for(query: &mut Query<'_>, request: &PageRequest) -> RiskFilter {
    let filter = risk_filter::read(query, &request.member.actor());
    match filter.status.is_empty() && filter.q.is_none() {
        true => RiskFilter { status: vec![RiskStatus::Open], ..filter },
        false => filter,
    }
}
