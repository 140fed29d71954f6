//! Proposals as they are held against the journal. Their edits stand in entries of the document.

use std::collections::HashMap;

use db::Tx;
use domain::OrgId;
use domain::document::ProposalField;
use serde_json::json;

use super::{ProposalRow, approvals, changes_field, comments, subject};
use crate::ledger::dialect::{numbers_parameter, wanted_numbers};
use crate::ledger::error::Result;
use crate::ledger::records::page::{Cursor, RecordPage};
use crate::ledger::verify::recorded::{Made, Recorded};

/// Proposals that are read at a time.
const PAGE: i64 = 200;

/// The next proposals.
pub(crate) async fn recorded(tx: &mut Tx, organization: OrgId, after: Cursor) -> Result<RecordPage> {
    let page = RecordPage::<ProposalRow>::read(tx, organization, after, PAGE).await?;
    let held = text_bytes(tx, organization, page.records.iter().map(|row| row.number)).await?;
    let numbers = || page.records.iter().map(|row| row.number);
    let given = approvals::given(tx, organization, numbers()).await?;
    let mut comments: HashMap<i64, Vec<_>> = HashMap::new();
    for (number, field, value) in comments::journaled(tx, organization, numbers()).await? {
        comments.entry(number).or_default().push((field, value));
    }
    Ok(page.map(|row| {
        let mut record = Recorded::of(subject(row.number), &row).made(Made::at(row.created_date));
        record.fields.insert("document".to_owned(), json!(row.document));
        for it in given.iter().filter(|it| it.proposal == row.number) {
            record.fields.insert(approvals::field(it.number), approvals::journaled(it));
            record.fields.extend(it.is_void.then(|| (approvals::void_field(it.number), json!(true))));
        }
        record.fields.extend(comments.remove(&row.number).unwrap_or_default());
        let changes = row.changes.fields().into_iter().filter_map(|it| Some((it, row.changes.get(it)?)));
        record.fields.extend(changes.map(|(field, pair)| (changes_field(field), json!(pair))));
        if row.changes_items != row.changes.get(ProposalField::Items).is_some() {
            record.faults.push("whether items are changed is not that".to_owned());
        }
        if held.get(&row.number) != Some(&row.text_bytes) {
            record.faults.push("the counted bytes of text are not those".to_owned());
        }
        record
    }))
}

/// How many bytes the values of all edits of each proposal have together.
async fn text_bytes(
    tx: &mut Tx,
    organization: OrgId,
    proposals: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, i64>> {
    let sql = format!(
        "SELECT wanted.number, (
             SELECT CAST(COALESCE(SUM(OCTET_LENGTH(edit.value)), 0) AS BIGINT) FROM change_set
             JOIN change_set_edit AS edit ON edit.organization = change_set.organization
                                          AND edit.change_set = change_set.number
             WHERE change_set.organization = $1 AND change_set.proposal = wanted.number)
         FROM {}",
        wanted_numbers(tx.engine())
    );
    let sums: Vec<(i64, i64)> =
        tx.query(&sql, &[&organization.uuid(), &numbers_parameter(proposals)]).await?;
    Ok(sums.into_iter().collect())
}
