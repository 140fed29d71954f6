//! The console as a browser sees it, in process.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod browser;
mod html;
mod incidents;
mod journal;
mod pages;
mod risks;
mod signing_in;
