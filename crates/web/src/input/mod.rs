//! What callers send: one reader for each kind of record. It takes a JSON value, collects every fault, and returns an
//! input of `domain`. The structs named `…Input` describe the same bodies for the OpenAPI document.

mod bulk;
pub mod clients;
pub mod documents;
pub mod evaluations;
pub(crate) mod filter_object;
pub mod incident_bulk;
pub mod incident_changes;
pub mod incident_figures;
pub mod incident_filter;
pub mod incidents;
pub mod invitations;
pub mod journal_filter;
pub mod links;
pub mod me;
pub mod notes;
pub mod organizations;
mod ratings;
pub mod redactions;
pub mod reset_links;
pub mod reviews;
pub mod risk_bulk;
pub mod risk_filter;
pub mod risks;
pub mod saved_views;
pub mod session;
pub mod severity;
pub mod tags;
pub mod tasks;
pub mod undo;
pub mod users;
