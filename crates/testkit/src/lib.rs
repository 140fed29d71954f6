//! What the tests of every crate share: each test runs on both engines with a database of its own, a clock that
//! stands still and randomness that repeats.
//!
//! ```ignore
//! #[testkit::both_engines]
//! async fn a_tag_is_read_back(app: TestApp) {
//!     let client = app.client_with_scopes("tags:read tags:write").await;
//!     app.post("/v1/tags").bearer(&client).json(json!({"name": "phishing"})).expect(201).await;
//! }
//! ```
//!
//! The test above runs as `a_tag_is_read_back::sqlite` and `a_tag_is_read_back::postgres`, and every answer is checked
//! against the OpenAPI document.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "this crate is only ever part of a test, where a panic is the right answer"
)]

#[cfg(feature = "app")]
mod app;
mod builders;
mod clock;
mod contract;
#[cfg(feature = "app")]
mod documented;
mod empty_database;
mod logs;
mod patience;
#[cfg(feature = "app")]
mod person;
pub mod postgres;
pub mod proxy;
mod random;
mod registers;
mod release;
#[cfg(feature = "app")]
mod request;
#[cfg(feature = "app")]
mod required_headers;
mod run;
mod test_db;

#[cfg(feature = "app")]
pub use app::{CHALLENGE, INVALID_TOKEN, TestApp, TestClient};
pub use builders::{author, comment, prose};
pub use clock::TestClock;
pub use contract::Contract;
pub use db::Engine;
pub use empty_database::EmptyDatabase;
pub use logs::log_to;
pub use patience::{PATIENCE, patient, until, until_now};
#[cfg(feature = "app")]
pub use person::TestPerson;
pub use random::seeded;
pub use registers::Register;
pub use release::Release;
#[cfg(feature = "app")]
pub use request::{Answer, Request};
pub use run::{Fixture, run};
pub use test_db::TestDb;
pub use testkit_macros::both_engines;
