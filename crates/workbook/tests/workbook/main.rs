//! Tests of reading workbooks in the shapes that people have them.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod answers;
mod files;
mod headers;
mod hostile;
mod imported;
mod kinds;
mod properties;
mod ratings;
mod rows;
mod texts;
