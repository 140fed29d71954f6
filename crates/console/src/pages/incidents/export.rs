//! `GET /o/{slug}/incidents/export`: what the list shows, all pages of it, as CSV.

use store::View;
use web::export::Incidents;

use super::READ;
use super::filter::asked_for;
use crate::frame::page_request::{PageRequest, Result};

/// `GET /o/{slug}/incidents/export`, with the filters of the list.
pub(crate) async fn file(request: PageRequest) -> Result {
    request.require(READ)?;
    let mut query = request.query();
    let filter = asked_for(&mut query, &request);
    query.finish()?;
    let mut tx = request.read().await?;
    let (db, organization, viewer) = (request.app.db().clone(), request.id(), request.viewer());
    let seq = store::journal::head(&mut tx, organization).await?.seq;
    let incidents = Incidents { db, organization, viewer, view: View::now(), seq, filter };
    incidents.file(&mut tx, Incidents::csv()).await
}
