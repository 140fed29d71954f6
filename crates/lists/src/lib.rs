//! Lists, for the API and the console alike: what their filters read, the views of them that people save, and the files that
//! they are exported to; and the files of documents.

pub mod approval_record;
pub mod document_file;
pub mod export;
pub mod input;
