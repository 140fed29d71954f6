//! What callers send about lists: their filters, changes of what a filter finds, and views that keep a filter.

mod bulk;
pub mod document_bulk;
pub mod document_filter;
pub mod filter_object;
pub mod incident_bulk;
pub mod incident_figures;
pub mod incident_filter;
pub mod journal_filter;
pub mod risk_bulk;
pub mod risk_filter;
pub mod risk_span;
pub mod saved_views;
mod text_filters;
