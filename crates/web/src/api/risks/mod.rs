//! Risks: something that may happen, and how bad it would be.

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

/// What the service alone sets; sending it is a fault of its own.
const READ_ONLY: &[&str] = &["id", "current", "tags", "created_date", "updated_date", "version"];
