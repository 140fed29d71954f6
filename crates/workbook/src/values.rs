//! What a cell of a column says.

pub(crate) mod choice;
mod choices_of_incidents;
pub(crate) mod control;
pub(crate) mod date;
pub(crate) mod level;
mod level_words;
pub(crate) mod list;
