//! The only room that knows HTTP: routes, bodies, tokens, errors, the OpenAPI document.

mod answer;
pub mod error;
pub mod json;
mod problem;
mod query;

pub use answer::Answer;
pub use error::{Error, ParameterFault, Result};
pub use query::Query;
