//! The risks that a page is about.

use domain::risk::RiskStatus;
use http::query::Query;
use lists::input::risk_filter;
use store::risks::RiskFilter;

use crate::frame::page_request::PageRequest;

/// The risks that are asked for: the open ones without a search and without a filter of status.
pub(super) fn asked_for(query: &mut Query<'_>, request: &PageRequest) -> RiskFilter {
    let filter = risk_filter::read(query, &request.member.actor());
    match filter.status.is_empty() && filter.q.is_none() {
        true => RiskFilter { status: vec![RiskStatus::Open], ..filter },
        false => filter,
    }
}
