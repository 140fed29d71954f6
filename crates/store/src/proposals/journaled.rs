//! Proposals as they are held against the journal. Their edits stand in entries of the document.

use db::Tx;
use domain::OrgId;
use serde_json::json;

use super::{ProposalRow, subject};
use crate::error::Result;
use crate::records::page::{Cursor, RecordPage};
use crate::verify::recorded::{Made, Recorded};

/// Proposals that are read at a time.
const PAGE: i64 = 200;

/// The next proposals.
pub(crate) async fn recorded(tx: &mut Tx, organization: OrgId, after: Cursor) -> Result<RecordPage> {
    let RecordPage { records: proposals, next } =
        RecordPage::<ProposalRow>::read(tx, organization, after, PAGE).await?;
    let mut records = Vec::with_capacity(proposals.len());
    for row in proposals {
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
