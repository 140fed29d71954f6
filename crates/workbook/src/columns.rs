//! What each column of a sheet is.

pub(crate) mod below;
pub(crate) mod column;
pub(crate) mod field;
pub(crate) mod guess;
pub(crate) mod ratings;
mod synonyms;
