//! What callers send: one reader for each kind of record. It takes a JSON value, collects every fault, and returns an
//! input of `domain`. The structs named `…Input` describe the same bodies for the OpenAPI document.

mod bulk;
pub mod filter_object;
pub mod incident_bulk;
pub mod incident_figures;
pub mod incident_filter;
pub mod incidents;
pub mod journal_filter;
pub mod risk_bulk;
pub mod risk_filter;
pub mod saved_views;
mod text_filters;
