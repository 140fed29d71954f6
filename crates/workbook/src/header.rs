//! Where the table is: sheet, header and legend.

pub(crate) mod find;
pub(crate) mod legend;
pub(crate) mod names;
