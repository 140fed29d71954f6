//! The codes of errors for people: as the page at `/docs/errors`, to which the `type` of every problem leads, and as
//! `docs/errors.md`.

mod markdown;
mod page;

use http::error_codes::groups;

pub(crate) use page::page;

/// The text of `docs/errors.md`.
pub fn text() -> String {
    markdown::text(&groups())
}
