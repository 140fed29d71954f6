//! Proposals: the open changes of documents, one change set per caller.

mod edit;
mod read;

pub use edit::edit;
pub use read::get;
