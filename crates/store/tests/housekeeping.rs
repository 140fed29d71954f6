//! Housekeeping in the store, on both engines.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a panic is a test's answer")]

mod indexes;
mod races;
mod refused_sign_ins;
mod support;
mod sweeps;
mod trash;
mod verification;
