//! Undoing requests in the store, on both engines.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod histories;
mod requests;
mod support;
