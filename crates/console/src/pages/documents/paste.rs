//! `POST /o/{slug}/documents/import/paste`: formatted text from the clipboard as Markdown, which the script puts into a text.

use askama::Template;
use http::Error;
use render::import;

use super::WRITE;
use super::import::FILE_BYTES;
use crate::frame::page_request::{PageRequest, Result};

/// The most bytes of HTML; of more the plain text is pasted.
const MOST_BYTES: usize = 2 * 1024 * 1024;

#[derive(Template)]
#[template(path = "documents/pasted.html")]
struct PastedPage {
    markdown: String,
    /// Whether it stands in lines of its own.
    is_block: bool,
    /// What was pasted and is not in the text.
    not_kept: Vec<String>,
}

pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let (_, files) = request.files(FILE_BYTES).await?;
    if files.iter().any(|(_, html)| html.len() > MOST_BYTES) {
        return Err(Error::BodyTooLarge { limit_bytes: MOST_BYTES });
    }
    let read = move || {
        // What the page says about its encoding is of the clipboard of another program.
        let html = files.first().map(|(_, html)| String::from_utf8_lossy(html)).unwrap_or_default();
        Ok(import::pasted(&html))
    };
    let pasted = request.app.convert(read).await?;
    let not_kept = pasted.not_kept.iter().map(ToString::to_string).collect();
    let (markdown, is_block) = (pasted.markdown.trim_end().to_owned(), pasted.is_block);
    request.show(&PastedPage { markdown, is_block, not_kept })
}
