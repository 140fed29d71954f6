//! What the tests of every crate use, tested itself. One test binary: each further one would be linked with everything again.

#[cfg(feature = "app")]
mod app;
mod both_engines;
