//! Tests of the HTML that texts become.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod costly;
mod docx;
mod hostile;
mod import;
mod markdown;
mod sanitiser;
mod xlsx;
