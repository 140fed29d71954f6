//! The severity that rules give to an incident.

pub(crate) mod assess;
pub(crate) mod view;
