//! What is sent about documents.

mod edits;
mod items;
mod new;

pub use edits::EditInput;
pub use edits::read_edits;
pub use new::NewDocumentInput;
pub use new::read_new;
