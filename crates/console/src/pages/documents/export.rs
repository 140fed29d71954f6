//! `GET /o/{slug}/documents/export`: what the library shows, all pages of it, as CSV.

use lists::export::Documents;
use lists::input::document_filter;

use super::READ;
use crate::frame::page_request::{PageRequest, Result};

/// `GET /o/{slug}/documents/export`, with the search and the filters of the library.
pub(crate) async fn file(request: PageRequest) -> Result {
    request.require(READ)?;
    let mut query = request.query();
    let asked = document_filter::read(&mut query, &request.member.actor());
    query.finish()?;
    let mut tx = request.read().await?;
    let filter = asked.filter(&mut tx, request.id()).await?;
    Documents { organization: request.id(), filter }
        .file(&mut tx, &Documents::for_spreadsheet(request.spreadsheet()))
        .await
}
