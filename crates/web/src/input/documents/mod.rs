//! What is sent about documents.

mod edits;
mod items;
mod new;

pub(crate) use edits::EditInput;
pub use edits::read_edits;
pub(crate) use new::NewDocumentInput;
pub use new::read_new;
