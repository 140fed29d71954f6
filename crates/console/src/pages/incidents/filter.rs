//! The incidents that a page is about.

use domain::incident::Category;
use http::query::Query;
use lists::input::incident_filter;
use store::incidents::IncidentFilter;
use store::list::FigureFilter;

use crate::frame::page_request::PageRequest;

/// The incidents that are asked for: the open ones without a search and without a filter of status, category or figure.
pub(in crate::pages) fn asked_for(query: &mut Query<'_>, request: &PageRequest) -> IncidentFilter {
    let filter = incident_filter::read(query, &request.member.actor());
    let is_said = !filter.status.is_empty()
        || !filter.category.is_empty()
        || filter.figures != FigureFilter::default()
        || filter.q.is_some();
    match is_said {
        true => filter,
        false => IncidentFilter { category: vec![Category::Open], ..filter },
    }
}
