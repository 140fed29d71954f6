//! How the rule of a document changed: the journal tells of each day.

use db::Tx;
use domain::acknowledgement::{AcknowledgedDocument, Interval, Stay};
use domain::{Error, OrgId};
use jiff::Timestamp;
use serde::Deserialize;

use super::of::{Of, query};
use crate::ledger::error::Result;

/// What an entry of a document changed, before and after.
#[derive(Deserialize)]
pub(super) struct Changed {
    acknowledge_every_days: Option<(Option<i64>, Option<i64>)>,
    archived_date: Option<(Option<String>, Option<String>)>,
}

/// How the intervals of documents changed, and when they were archived and restored: by document, in the order of time.
pub(super) async fn changes(
    tx: &mut Tx,
    organization: OrgId,
    of: Of<'_>,
) -> Result<Vec<(String, Timestamp, Changed)>> {
    // A deleted draft may have had the same slug before.
    let sql = format!(
        "SELECT entry.subject_id, entry.at, entry.payload
         FROM document AS d JOIN journal_entry AS entry ON entry.organization = d.organization
             AND entry.subject_kind = 'document' AND entry.subject_id = d.slug AND entry.at > d.created_date
         WHERE d.organization = $1{} AND d.slug IN
             (SELECT request.document FROM acknowledgement_request AS request WHERE request.organization = $1)
             AND entry.kind IN ('document.updated', 'document.archived', 'document.restored')
             AND (entry.payload LIKE '%\"acknowledge_every_days\":%' OR entry.payload LIKE '%\"archived_date\":%')
         ORDER BY entry.subject_id, entry.seq",
        of.condition("d.slug", "")
    );
    let rows: Vec<(String, Timestamp, String)> = query(tx, organization, of, &sql).await?;
    let read = |(slug, at, payload): (String, Timestamp, String)| match serde_json::from_str(&payload) {
        Ok(changed) => Ok((slug, at, changed)),
        Err(error) => Err(Error::Internal(format!("an entry of the document {slug}: {error}")).into()),
    };
    rows.into_iter().map(read).collect()
}

impl Changed {
    /// Notes it in a rule, which has the present interval until the first change of it is noted.
    pub(super) fn note(&self, at: Timestamp, rule: &mut AcknowledgedDocument) {
        if let Some((before, days)) = self.acknowledge_every_days {
            if let [present] = rule.intervals.as_mut_slice() {
                present.days = before;
            }
            rule.intervals.push(Interval { from: at, days });
        }
        match &self.archived_date {
            Some((_, Some(_))) => rule.archived.push(Stay { from: at, until: None }),
            Some((_, None)) => rule.archived.iter_mut().for_each(|stay| stay.until = stay.until.or(Some(at))),
            None => {}
        }
    }
}
