//! Incidents: events that happened, with their dates.

pub(crate) mod bulk;
pub(crate) mod by_reference;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod export;
pub(crate) mod facets;
mod filter;
pub(crate) mod links;
pub(crate) mod list;
mod many;
pub(crate) mod metrics;
pub(crate) mod read;
pub(crate) mod redact;
pub(crate) mod restore;
pub(crate) mod severity;
pub(crate) mod tags;
pub(crate) mod timeline;
pub(crate) mod transitions;
pub(crate) mod update;
mod view;

use view::IncidentView;
