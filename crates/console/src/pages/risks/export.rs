//! `GET /o/{slug}/risks/export`: what the register shows, all pages of it, as CSV.

use store::View;
use web::export::Risks;

use super::READ;
use super::filter::asked_for;
use crate::frame::page_request::{PageRequest, Result};

/// `GET /o/{slug}/risks/export`, with the filters of the register.
pub(crate) async fn file(request: PageRequest) -> Result {
    request.require(READ)?;
    let mut query = request.query();
    let filter = asked_for(&mut query, &request);
    query.finish()?;
    let mut tx = request.read().await?;
    let (db, organization) = (request.app.db().clone(), request.id());
    let seq = store::journal::head(&mut tx, organization).await?.seq;
    Risks { db, organization, view: View::now(), seq, filter }.file(&mut tx, Risks::csv()).await
}
