//! Risks: events that may happen, with their likelihood and impact.

pub(crate) mod bulk;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod export;
pub(crate) mod facets;
pub(crate) mod links;
pub(crate) mod list;
mod rating;
pub(crate) mod read;
pub(crate) mod restore;
pub(crate) mod tags;
pub(crate) mod update;
mod view;

use view::RiskView;
