//! Entries and comments: random histories against a model, and what becomes of them with their incident.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a panic is a test's answer")]

mod histories;
mod model;
mod purge;
