//! What the pages of the console declare about themselves.

use http::route::{Admission, Caching, Content, ErrorForms, Rules};

use super::error_page;

const ERRORS: ErrorForms = ErrorForms { program: error_page::FORM, browser: error_page::FORM };

/// A page of a person who is signed in.
pub(crate) const PAGE: Rules =
    Rules { caching: Caching::Page, content: Content::Console, errors: ERRORS, admission: Admission::Usual };

/// A page on which somebody proves who they are.
pub(crate) const ENTRANCE: Rules = Rules { admission: Admission::SignIn, ..PAGE };

/// A file that never changes at its address.
pub(crate) const ASSET: Rules =
    Rules { caching: Caching::Public("public, max-age=31536000, immutable"), ..PAGE };
