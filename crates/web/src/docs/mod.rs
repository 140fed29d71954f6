//! Pages for people: the reference of the API, and what its errors mean.

pub mod errors;
mod html;
pub(crate) mod reference;
