//! HTML pages for people: the API reference and the explanation of its errors.

pub(crate) mod error_page;
pub mod errors;
pub(crate) mod html;
pub(crate) mod reference;
pub mod scopes;
