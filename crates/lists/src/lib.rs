//! Lists, for the API and the console alike: what their filters read, the views of them that people save, and the files that
//! they are exported to; the files of documents, of who has acknowledged them and of reviews; files that become documents;
//! proposals before a step; figures of risks, and the report of them.

pub mod acknowledgement_file;
pub mod approval_record;
pub mod document_bulk;
pub mod document_file;
pub mod document_import;
pub mod export;
pub mod imports;
pub mod input;
pub mod printed_file;
pub mod proposal_step;
pub mod review_file;
pub mod risk_figures;
pub mod risk_report;
