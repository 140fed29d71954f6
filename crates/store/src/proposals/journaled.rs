//! Proposals as they are held against the journal. Their edits stand in entries of the document.

use db::{Tx, Value};
use domain::OrgId;
use serde_json::json;

use super::{ProposalRow, subject};
use crate::error::Result;
use crate::list::{Direction, Select};
use crate::page::Page;
use crate::record::Stored;
use crate::records::{Cursor, RecordPage};
use crate::verify::{Made, Recorded};
use crate::view::View;

/// Proposals that are read at a time.
const PAGE: i64 = 200;

/// The next proposals.
pub(crate) async fn recorded(tx: &mut Tx, organization: OrgId, after: Cursor) -> Result<RecordPage> {
    let select = Select::<ProposalRow>::of(organization, View::with_deleted());
    let page: Page<Stored<ProposalRow>> =
        select.order(&["number"], Direction::Ascending, after).page(tx, PAGE).await?;
    let next = page.rows.last().filter(|_| page.has_more);
    let next = next.map(|Stored(row): &Stored<ProposalRow>| vec![Value::from(row.number)]);
    let mut records = Vec::with_capacity(page.rows.len());
    for Stored(row) in page.rows {
        let fields = [("document", json!(row.document)), ("status", json!(row.status))];
        let mut record = Recorded::new(subject(row.number), fields).made(Made::at(row.created_date));
        let sql = "SELECT CAST(COALESCE(SUM(OCTET_LENGTH(edit.value)), 0) AS BIGINT) FROM change_set
            JOIN change_set_edit AS edit ON edit.organization = change_set.organization
                                         AND edit.change_set = change_set.number
            WHERE change_set.organization = $1 AND change_set.proposal = $2";
        let (held,): (i64,) = tx.query_one(sql, &[&organization.uuid(), &row.number]).await?;
        if held != row.text_bytes {
            record.faults.push("the counted bytes of text are not those".to_owned());
        }
        records.push(record);
    }
    Ok(RecordPage { records, next })
}
