//! What is written of records of a file beside themselves, whatever they are.

use std::collections::BTreeSet;

use db::Tx;
use domain::tag::TagName;
use domain::{Author, OrgId};

use crate::ledger::error::Result;
use crate::ledger::tag_links::{TagChange, TagLinks};
use crate::tags;

/// Puts tags on records, by their numbers; makes those that there are not.
pub(super) async fn add_tags(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    links: &TagLinks,
    added: &[(i64, &[&TagName])],
) -> Result<()> {
    let names: BTreeSet<&TagName> = added.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let names: Vec<TagName> = names.into_iter().cloned().collect();
    let mut named = tags::find(tx, organization, &names).await?;
    named.make(tx, organization, author).await?;
    let of = |(number, names): &(i64, &[&TagName])| {
        let (number, ids) = (*number, names.iter().filter_map(|name| named.id(name)));
        let ids: BTreeSet<_> = ids.collect();
        ids.into_iter().map(move |tag| (number, TagChange { tag, is_added: true })).collect::<Vec<_>>()
    };
    let changes: Vec<_> = added.iter().flat_map(of).collect();
    links.journal_changes(tx, organization, author, &changes).await
}

/// The number of the first of so many entries.
pub(super) fn first_of(count: usize, last: i64) -> i64 {
    last + 1 - i64::try_from(count).unwrap_or(i64::MAX)
}
