//! `POST /o/{slug}/documents/import/paste`: formatted text from the clipboard as Markdown, which the script puts into a text.

use askama::Template;
use render::import;

use super::WRITE;
use crate::frame::page_request::{PageRequest, Result};

#[derive(Template)]
#[template(path = "documents/pasted.html")]
struct PastedPage {
    markdown: String,
    /// What was pasted and is not in the text.
    not_kept: Vec<String>,
}

pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let (_, files) = request.files().await?;
    let read = move || {
        // What the page says about its encoding is of the clipboard of another program.
        let html = files.first().map(|(_, html)| String::from_utf8_lossy(html)).unwrap_or_default();
        Ok(import::pasted(&html))
    };
    let pasted = request.app.convert(read).await?;
    let not_kept = pasted.not_kept.iter().map(ToString::to_string).collect();
    request.show(&PastedPage { markdown: pasted.markdown.trim_end().to_owned(), not_kept })
}
