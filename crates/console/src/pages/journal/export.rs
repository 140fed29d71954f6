//! `GET /o/{slug}/journal/export`: every entry up to now as a line of JSON, as `bailiwick journal export` writes them.

use db::Db;
use domain::OrgId;
use domain::incident::Viewer;
use http::download;
use store::journal::{self, Entry};

use super::READ;
use crate::frame::page_request::{PageRequest, Result};

/// Entries that are read at a time.
const PAGE: i64 = 500;

/// `GET /o/{slug}/journal/export`
pub(crate) async fn file(request: PageRequest) -> Result {
    request.require(READ)?;
    let (organization, viewer, db) = (request.id(), request.viewer(), request.app.db().clone());
    let last = journal::head(&mut request.read().await?, organization).await?.seq;
    let name = format!("{}-journal-{last}.ndjson", request.organization.slug);
    Ok(download::file(&name, "application/x-ndjson", 0, move |after| {
        let (db, viewer) = (db.clone(), viewer.clone());
        async move { part(&db, organization, &viewer, after, last).await }
    }))
}

/// The entries that follow the entry `after`, and the last of them; none after the entry `last`.
async fn part(
    db: &Db,
    organization: OrgId,
    viewer: &Viewer,
    after: i64,
    last: i64,
) -> Result<Option<(Vec<u8>, i64)>> {
    let mut tx = db.read().await?;
    let mut entries = journal::list(&mut tx, organization, after, PAGE.min(last - after)).await?;
    store::incidents::hide_entries(&mut tx, organization, viewer, &mut entries).await?;
    let Some(end) = entries.last().map(|entry| entry.seq) else { return Ok(None) };
    let line = |entry: &Entry| entry.to_json() + "\n";
    Ok(Some((entries.iter().map(line).collect::<String>().into_bytes(), end)))
}
