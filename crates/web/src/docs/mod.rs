//! Pages for people: the reference of the API, and what its errors mean.

pub mod errors;
pub(crate) mod html;
pub(crate) mod reference;
pub mod scopes;
