//! What a note said, from how it was written to how it is. Deleting, restoring and pinning it are no revisions.

use db::{Param, Tx};
use domain::OrgId;
use domain::incident::Viewer;

use super::{NoteId, NoteKind, read};
use crate::error::Result;
use crate::page::Page;
use crate::record::Stored;
use crate::view::View;

/// The condition on a state that begins a revision.
const BEGINS: &str = "(r.version = 1 OR r.updated_date = r.edited_date)";

/// Up to `limit` revisions of a note, the first one first: those after the state with the version `after`.
pub(super) async fn list<N: NoteKind>(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    id: NoteId,
    after: Option<i64>,
    limit: i64,
) -> Result<Page<N>> {
    read::get::<N>(tx, organization, viewer, id, View::now()).await?;
    let statements = N::statements();
    let (columns, joins) = (&statements.columns, &statements.joins);
    let sql = format!(
        "SELECT {columns} FROM ({} UNION ALL {}) AS r{joins} ORDER BY r.version LIMIT $5",
        states::<N>("", &statements.stored),
        states::<N>("_history", &statements.stored)
    );
    let (incident, after, limit_and_next) = (id.incident.number(), after.unwrap_or_default(), limit + 1);
    let params: [&dyn Param; 5] = [&organization.uuid(), &incident, &id.number, &after, &limit_and_next];
    let rows: Vec<Stored<N>> = tx.query(&sql, &params).await?;
    Ok(Page::cut(rows, limit).map(|Stored(state)| state))
}

/// How many revisions a note has on all pages.
pub(super) async fn count<N: NoteKind>(tx: &mut Tx, organization: OrgId, id: NoteId) -> Result<i64> {
    let counted = |suffix| format!("(SELECT count(*) FROM ({}) AS r)", states::<N>(suffix, "r.version"));
    let sql = format!("SELECT {} + {}", counted(""), counted("_history"));
    let params: [&dyn Param; 4] = [&organization.uuid(), &id.incident.number(), &id.number, &0_i64];
    let (count,) = tx.query_one(&sql, &params).await?;
    Ok(count)
}

/// Selects the states in the table, or in the one whose name ends with `suffix`, that begin a revision of the note `$3`
/// of the incident `$2` and have a version above `$4`.
fn states<N: NoteKind>(suffix: &str, columns: &str) -> String {
    format!(
        "SELECT {columns} FROM {}{suffix} AS r
         WHERE r.organization = $1 AND r.incident = $2 AND r.number = $3 AND r.version > $4 AND {BEGINS}",
        N::TABLE
    )
}
