//! What is written of records of a file, whatever they are. The number of statements does not grow with them.

use std::collections::BTreeSet;

use db::Tx;
use domain::tag::TagName;
use domain::task::NewTask;
use domain::{Author, OrgId};

use crate::ledger::error::Result;
use crate::ledger::journal::{self, New};
use crate::ledger::record;
use crate::ledger::tag_links::{TagChange, TagLinks};
use crate::ledger::undo::Undoable;
use crate::tags;
use crate::tasks::{self, TaskKey};

/// Writes new records, each with an entry of this kind. Returns them as they begin with it.
pub(super) async fn create_all<R: Undoable>(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    kind: &'static str,
    new: Vec<R>,
) -> Result<Vec<R>> {
    if new.is_empty() {
        return Ok(new);
    }
    let entry = |it: &R| New { kind, subject: R::subject(it.number()), payload: record::changes(None, it) };
    let first = append(tx, organization, author, new.iter().map(entry).collect()).await?;
    let new: Vec<R> = new.into_iter().zip(first..).map(|(it, seq)| it.begun_by(seq)).collect();
    record::insert_all(tx, organization, &new).await?;
    Ok(new)
}

/// Writes changed records: of each the state before, the one after it, and the kind of the entry.
pub(super) async fn replace_all<R: Undoable>(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    changed: &[(&R, &R, &'static str)],
) -> Result<()> {
    if changed.is_empty() {
        return Ok(());
    }
    let entry = |(before, after, kind): &(&R, &R, &'static str)| New {
        kind,
        subject: R::subject(after.number()),
        payload: record::changes(Some(*before), *after),
    };
    let first = append(tx, organization, author, changed.iter().map(entry).collect()).await?;
    let begun = |((_, after, _), seq): (&(&R, &R, &'static str), i64)| ((*after).clone().begun_by(seq), seq);
    let rows: Vec<(R, i64)> = changed.iter().zip(first..).map(begun).collect();
    record::replace_all(tx, organization, &rows).await?;
    let numbers: Vec<i64> = rows.iter().map(|(it, _)| it.number()).collect();
    R::follow(tx, organization, author, &numbers).await
}

/// Gives records, which are there, these tasks and tags; makes the tags that there are not.
pub(super) async fn add_all<K: TaskKey>(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    links: &TagLinks,
    added: &[(K, &[&NewTask], &[&TagName])],
) -> Result<()> {
    let new = added.iter().flat_map(|(of, tasks, _)| tasks.iter().map(move |new| (*of, *new)));
    tasks::create_all(tx, organization, author, &new.collect::<Vec<_>>()).await?;
    let names = distinct(added.iter().flat_map(|(.., names)| names.iter().copied()));
    let mut named = tags::find(tx, organization, &names).await?;
    named.make(tx, organization, author).await?;
    let of = |(of, _, names): &(K, &[&NewTask], &[&TagName])| {
        let ids: BTreeSet<_> = names.iter().filter_map(|name| named.id(name)).collect();
        let number = of.number();
        ids.into_iter().map(move |tag| (number, TagChange { tag, is_added: true })).collect::<Vec<_>>()
    };
    let changes: Vec<_> = added.iter().flat_map(of).collect();
    links.journal_changes(tx, organization, author, &changes).await
}

/// Each of these names once.
pub(super) fn distinct<'n>(names: impl Iterator<Item = &'n TagName>) -> Vec<TagName> {
    names.collect::<BTreeSet<_>>().into_iter().cloned().collect()
}

/// Appends entries and returns the number of the first.
pub(super) async fn append(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    entries: Vec<New>,
) -> Result<i64> {
    let first = tx.head(organization)?.seq + 1;
    journal::append_all(tx, organization, author, entries).await?;
    Ok(first)
}
