//! Risks, tags, evaluations and the figure in the store, on both engines.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a panic is a test's answer")]

mod acceptances;
mod cadences;
mod changes;
mod evaluations;
mod heat_map;
mod histories;
mod lists;
mod many;
mod model;
mod performance;
mod recomputed;
mod register;
mod scales;
mod support;
mod tags;
mod waiting;
