//! What a note said, from how it was written to how it is. Deleting, restoring and pinning it are no revisions.

use std::collections::HashMap;

use db::{Param, Tx};
use domain::incident::Viewer;
use domain::note::{Mention, Note};
use domain::{OrgId, UserId};
use macros::boxed;

use super::mentions::people_of;
use super::{IncidentNote, NoteId, read};
use crate::ledger::error::Result;
use crate::ledger::page::Page;
use crate::ledger::record::{Record as _, Stored};
use crate::ledger::view::View;

/// The condition on a state that begins a revision.
const BEGINS: &str = "(r.version = 1 OR r.updated_date = r.edited_date)";

/// Up to `limit` revisions of a note, the first one first: those after the one that begins with the version `after`. With the
/// people whom they mention.
#[boxed]
pub async fn list_revisions(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    id: NoteId,
    after: Option<i64>,
    limit: i64,
) -> Result<(Page<Note>, HashMap<UserId, Mention>)> {
    read::find(tx, organization, viewer, id, View::now()).await?;
    let statements = IncidentNote::statements();
    let (columns, joins) = (&statements.columns, &statements.joins);
    let sql = format!(
        "SELECT {columns} FROM ({} UNION ALL {}) AS r{joins} ORDER BY r.version LIMIT $5",
        states("", &statements.stored),
        states("_history", &statements.stored)
    );
    let (incident, after, limit_and_next) = (id.incident.number(), after.unwrap_or_default(), limit + 1);
    let params: [&dyn Param; 5] = [&organization.uuid(), &incident, &id.number, &after, &limit_and_next];
    let rows: Vec<Stored<IncidentNote>> = tx.query(&sql, &params).await?;
    let page = Page::cut(rows, limit).map(|Stored(IncidentNote { note, .. })| note);
    let mentions = people_of(tx, organization, page.rows.iter().flat_map(|it| it.mentions.clone())).await?;
    Ok((page, mentions))
}

/// How many revisions a note has on all pages, which the caller is known to see.
#[boxed]
pub async fn count_revisions(tx: &mut Tx, organization: OrgId, id: NoteId) -> Result<i64> {
    let counted = |suffix| format!("(SELECT count(*) FROM ({}) AS r)", states(suffix, "r.version"));
    let sql = format!("SELECT {} + {}", counted(""), counted("_history"));
    let params: [&dyn Param; 4] = [&organization.uuid(), &id.incident.number(), &id.number, &0_i64];
    let (count,) = tx.query_one(&sql, &params).await?;
    Ok(count)
}

/// Selects the states in the table, or in the one whose name ends with `suffix`, that begin a revision of the note `$3`
/// of the incident `$2` and have a version above `$4`.
fn states(suffix: &str, columns: &str) -> String {
    format!(
        "SELECT {columns} FROM {}{suffix} AS r
         WHERE r.organization = $1 AND r.incident = $2 AND r.number = $3 AND r.version > $4 AND {BEGINS}",
        IncidentNote::TABLE
    )
}
