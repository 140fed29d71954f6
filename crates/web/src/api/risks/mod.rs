//! Risks: events that may happen, with their likelihood and impact.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;
mod rating;
pub(crate) mod read;
pub(crate) mod restore;
pub(crate) mod tags;
pub(crate) mod update;
mod view;

pub(crate) use rating::read_levels;
use view::RiskView;

/// The members that only the service sets; sending one is a fault.
const READ_ONLY: &[&str] = &["id", "current", "tags", "created_date", "updated_date", "version"];
