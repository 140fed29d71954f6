//! Taking a text out of rows and of the journal's entries, of whatever tables are named.

pub(crate) mod entries;
pub(crate) mod rows;
pub(crate) mod tables;
pub(crate) mod versions;
