//! Tags of a file: what becomes of each, and the writes that do it. The number of statements does not grow with them.

use std::collections::{HashMap, HashSet};

use db::Tx;
use domain::import::{Import, ImportRow, ImportedTag, PreparedRow, RowContent};
use domain::tag::{NewTag, Tag, TagName};
use domain::text::folded;
use domain::{Author, OrgId, TagId};
use jiff::Timestamp;

use super::parts::append;
use super::step::{self, Step};
use crate::ledger::error::Result;
use crate::ledger::journal::New;
use crate::ledger::record;
use crate::tags::{leading, subject};

/// What is to be written for a tag.
struct Change<'p> {
    imported: &'p ImportedTag,
    /// As it is; none of a new one.
    before: Option<Tag>,
    /// As it becomes, if it is new or changes.
    after: Option<Tag>,
    /// The names that do not lead to it yet.
    aliases: Vec<&'p TagName>,
}

/// What becomes of some rows.
pub(super) struct Plan<'p> {
    steps: Vec<Step<'p, Change<'p>, TagId>>,
}

impl<'p> Plan<'p> {
    /// Says what becomes of each row now.
    pub(super) async fn make(tx: &mut Tx, organization: OrgId, rows: &'p [PreparedRow]) -> Result<Self> {
        let imported = rows.iter().filter_map(tag);
        let names = imported.flat_map(|it| std::iter::once(&it.new.name).chain(&it.aliases));
        let names: Vec<String> = names.map(|name| folded(name)).collect();
        let known = leading(tx, organization, &names).await?;
        let (at, mut met) = (tx.at(), HashSet::new());
        let step = |row, imported| match change(imported, &known, at) {
            Ok(Change { before: Some(tag), .. }) if !met.insert(tag.id) => {
                Step::wrong(row, vec![format!("A row before is about the same tag, {}.", &*tag.name)])
            }
            Ok(change) => {
                let before = change.before.as_ref().map(|tag| tag.id);
                let is_changed = change.after.is_some() || !change.aliases.is_empty();
                Step::changing(row, before, is_changed, change)
            }
            Err(wrong) => Step::wrong(row, vec![wrong]),
        };
        Ok(Self { steps: step::steps(rows, tag, step) })
    }

    /// What becomes of the rows, of which the first has this place.
    pub(super) fn outcomes(&self, import: &Import, first: usize) -> Vec<ImportRow> {
        step::outcomes(&self.steps, import, first)
    }

    /// Writes it.
    pub(super) async fn write(
        mut self,
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        import: &Import,
        first: usize,
    ) -> Result<Vec<ImportRow>> {
        let at = tx.at();
        for step in &mut self.steps {
            let Some(change) = step.change.as_mut().filter(|change| change.before.is_none()) else {
                continue;
            };
            let tag = change.imported.new.create(TagId(tx.uuid()), at);
            (step.record, change.after) = (Some(tag.id), Some(tag));
        }
        self.save(tx, organization, author, true).await?;
        self.save(tx, organization, author, false).await?;
        self.add_aliases(tx, organization, author).await?;
        Ok(self.outcomes(import, first))
    }

    fn changes(&self) -> impl Iterator<Item = (TagId, &Change<'p>)> {
        self.steps.iter().filter_map(|step| Some((step.record?, step.change.as_ref()?)))
    }

    /// Writes those that are new, or those that change.
    async fn save(&self, tx: &mut Tx, organization: OrgId, author: &Author, are_new: bool) -> Result<()> {
        let changed = self.changes().filter(|(_, change)| change.before.is_none() == are_new);
        let changed = changed.filter_map(|(_, change)| Some((change.before.as_ref(), change.after.clone()?)));
        let (before, mut after): (Vec<Option<&Tag>>, Vec<Tag>) = changed.unzip();
        if after.is_empty() {
            return Ok(());
        }
        let entry = |(before, after): (&Option<&Tag>, &Tag)| New {
            kind: if are_new { "tag.created" } else { "tag.updated" },
            subject: subject(after.id),
            payload: record::changes(*before, after),
        };
        let entries = before.iter().zip(&after).map(entry).collect();
        let first = append(tx, organization, author, entries).await?;
        for (tag, seq) in after.iter_mut().zip(first..) {
            tag.seq_from = seq;
        }
        match are_new {
            true => record::insert_all(tx, organization, &after).await,
            false => record::replace_each(tx, organization, &after.iter().collect::<Vec<_>>()).await,
        }
    }

    /// Makes the other names: each is a tag that was merged at once, so that its name leads to the other one.
    async fn add_aliases(&self, tx: &mut Tx, organization: OrgId, author: &Author) -> Result<()> {
        let at = tx.at();
        let named =
            self.changes().flat_map(|(id, change)| change.aliases.iter().map(move |name| (id, *name)));
        let mut made: Vec<(Tag, Tag)> = Vec::new();
        for (into, name) in named.collect::<Vec<_>>() {
            let new = NewTag { name: name.clone(), color: None, description: None };
            let tag = new.create(TagId(tx.uuid()), at);
            made.push((tag.clone(), tag.removed(Some(into), at)));
        }
        if made.is_empty() {
            return Ok(());
        }
        let entries = made.iter().flat_map(|(tag, merged)| {
            let subject = || subject(tag.id);
            let (created, payload) = (record::changes(None, tag), record::changes(Some(tag), merged));
            [
                New { kind: "tag.created", subject: subject(), payload: created },
                New { kind: "tag.merged", subject: subject(), payload },
            ]
        });
        let first = append(tx, organization, author, entries.collect()).await?;
        let merged = made.into_iter().zip((first + 1..).step_by(2));
        let merged: Vec<Tag> = merged.map(|((_, tag), seq)| Tag { seq_from: seq, ..tag }).collect();
        record::insert_all(tx, organization, &merged).await
    }
}

fn tag(row: &PreparedRow) -> Option<&ImportedTag> {
    match &row.content {
        RowContent::Tag(tag) => Some(tag),
        _ => None,
    }
}

/// What is to be written for a tag, or what is wrong.
fn change<'p>(
    imported: &'p ImportedTag,
    known: &HashMap<String, (Tag, bool)>,
    at: Timestamp,
) -> std::result::Result<Change<'p>, String> {
    let before = known.get(&folded(&imported.new.name));
    let mut aliases = Vec::new();
    for name in &imported.aliases {
        match (known.get(&folded(name)), before) {
            (None, _) => aliases.push(name),
            (Some((other, _)), Some((tag, _))) if other.id == tag.id => {}
            _ => return Err(format!("{} is another tag: merge the two first.", &**name)),
        }
    }
    let after = before.and_then(|(tag, is_own_name)| imported.patch(*is_own_name).apply(tag, at));
    Ok(Change { imported, before: before.map(|(tag, _)| tag.clone()), after, aliases })
}
