//! Pages for people: what the errors mean, and the reference of the API.

pub mod errors;
mod html;
