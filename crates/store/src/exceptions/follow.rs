//! What becomes of exceptions when a version of their document is published, in the same transaction.

use db::Tx;
use domain::document::DocumentWithItems;
use domain::exception::PolicyException;
use domain::{Author, OrgId};

use super::subject;
use crate::ledger::error::Result;
use crate::ledger::journal::{self, New};
use crate::ledger::list::{Filter, Select};
use crate::ledger::record::{self, Stored};
use crate::ledger::view::View;

/// Brings the exceptions to a document up to date after a version of it was published.
pub(crate) async fn follow(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    document: &DocumentWithItems,
    version: i64,
) -> Result<()> {
    let live = Filter::OneOf("state", vec!["accepted".into(), "stale".into()]);
    let of_document = Filter::is("document", document.document.slug.as_str().into());
    let select = Select::<PolicyException>::of(organization, View::with_deleted());
    let found: Vec<Stored<PolicyException>> = select.filter(of_document).filter(live).all(tx).await?;
    let at = tx.at();
    let followed = found.into_iter().filter_map(|Stored(before)| {
        let after = before.follow(document, version, at)?;
        Some((before, after))
    });
    let changes: Vec<(PolicyException, PolicyException)> = followed.collect();
    if changes.is_empty() {
        return Ok(());
    }
    let entry = |(before, after): &(PolicyException, PolicyException)| New {
        kind: "exception.changed",
        subject: subject(after.number),
        payload: record::changes(Some(before), after),
    };
    let first = tx.head(organization)?.seq + 1;
    journal::append_all(tx, organization, author, changes.iter().map(entry).collect()).await?;
    let begun_by = |((_, mut after), seq): ((PolicyException, PolicyException), i64)| {
        after.decision.seq_from = seq;
        (after, seq)
    };
    let rows: Vec<_> = changes.into_iter().zip(first..).map(begun_by).collect();
    record::replace_all(tx, organization, &rows).await
}
