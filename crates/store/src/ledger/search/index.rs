//! Making the index of units what they are.

use std::collections::{BTreeMap, BTreeSet};

use db::{Param, Tx};
use domain::search::{SearchKind, Weight};
use domain::{IncidentNumber, OrgId};

use super::block::Block;
use super::indexed::{Indexed, Weights};
use super::progress::note_removal;
use super::stored::{self, Own};
use super::unit::Unit;
use super::words::{ChangedWord, changed_words};
use super::{counts, parts, tables, texts};
use crate::ledger::error::Result;
use crate::ledger::record::Record;

/// How the index of some units of a kind is to change.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) kind: SearchKind,
    pub(super) words: Vec<ChangedWord>,
    pub(super) counts: Vec<counts::Changed>,
    /// None: it leaves the index.
    pub(super) units: BTreeMap<Unit, Option<Indexed>>,
    /// Records that come into the index, leave it, or change between its halves, and have parts there: these follow later.
    pub(super) moved: Vec<i64>,
}

/// Makes the index of these units what they are, in the write that changes them, so that what they have lost is found no more.
/// Units that the index does not have come into it when it follows the journal.
pub(crate) async fn refresh(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    units: &BTreeSet<Unit>,
) -> Result<()> {
    note_removal(tx, organization).await?;
    let known = stored::known(tx, organization, kind, units).await?;
    if known.is_empty() {
        return Ok(());
    }
    Change::of(tx, organization, kind, &known).await?.write(tx, organization).await
}

/// Makes the index of a part what it is, in the write that changes it, if a text of it is another one or it is gone.
pub(crate) async fn refresh_part<R: Record>(
    tx: &mut Tx,
    organization: OrgId,
    id: (IncidentNumber, i64),
    before: &R,
    after: &R,
) -> Result<()> {
    match tables::reworded(id, before, after) {
        Some(unit) => refresh(tx, organization, SearchKind::Incident, &[unit].into()).await,
        None => Ok(()),
    }
}

/// Takes all that the index has of these records out of it for good, in the write that removes them.
pub(crate) async fn remove(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    numbers: &[i64],
) -> Result<()> {
    let mut units = parts::stored_parts(tx, organization, kind, numbers).await?;
    units.extend(numbers.iter().copied().map(Unit::own));
    refresh(tx, organization, kind, &units).await
}

impl Change {
    /// What makes the index of these units what they are now: those that are gone or deleted leave it. The number of statements
    /// does not depend on how many there are, and what a record has beside them costs nothing.
    pub(super) async fn of(
        tx: &mut Tx,
        organization: OrgId,
        kind: SearchKind,
        units: &BTreeSet<Unit>,
    ) -> Result<Self> {
        let mut change = Self { kind, words: vec![], counts: vec![], units: BTreeMap::new(), moved: vec![] };
        if units.is_empty() {
            return Ok(change);
        }
        let numbers: BTreeSet<i64> = units.iter().map(|unit| unit.number).collect();
        let numbers: Vec<i64> = numbers.into_iter().collect();
        let own_numbers: Vec<i64> = units.iter().filter(|it| it.is_own()).map(|it| it.number).collect();
        let parts: BTreeSet<Unit> = units.iter().copied().filter(|unit| !unit.is_own()).collect();
        let own = stored::own(tx, organization, kind, &numbers).await?;
        let own_now = texts::own(tx, organization, kind, &own_numbers).await?;
        let before = stored::parts(tx, organization, kind, &parts).await?;
        let mut now = texts::parts(tx, organization, kind, &parts).await?;
        for restricted in [false, true] {
            let mut records: BTreeMap<i64, RecordChange<'_>> = BTreeMap::new();
            for (number, known) in &own {
                let is_changed = units.contains(&Unit::own(*number));
                let now = is_changed.then(|| own_now.get(number));
                records.insert(*number, RecordChange::of(known, now, restricted));
            }
            for unit in &parts {
                if let Some(record) = records.get_mut(&unit.number) {
                    record.add_part(before.get(unit), now.get(unit), restricted);
                }
            }
            change.add_half(tx, organization, restricted, &records).await?;
        }
        for number in own_numbers {
            let (old, new) = (own.get(&number), own_now.get(&number));
            let before = old.and_then(|it| it.indexed.as_ref());
            let is_moved = before.map(|it| it.restricted) != new.map(|it| it.restricted);
            // A document follows with all its items.
            if is_moved && kind == SearchKind::Incident {
                change.moved.push(number);
            }
            if before != new {
                change.units.insert(Unit::own(number), new.cloned());
            }
        }
        for unit in parts {
            if before.get(&unit) != now.get(&unit) {
                change.units.insert(unit, now.remove(&unit));
            }
        }
        Ok(change)
    }

    /// Adds what changes in one half of the index.
    async fn add_half(
        &mut self,
        tx: &mut Tx,
        organization: OrgId,
        restricted: bool,
        records: &BTreeMap<i64, RecordChange<'_>>,
    ) -> Result<()> {
        let of = (self.kind, restricted);
        let known = counts::read(tx, organization, of, wanted_counts(records)).await?;
        let mut weights = Weights::new();
        for (number, record) in records {
            let (block, offset) = Block::place(*number);
            if record.is_alone() {
                for (word, new) in record.own_changes() {
                    weights.entry((block, word)).or_default().push((offset, new));
                }
                continue;
            }
            let known = known.get(number);
            for word in record.touched() {
                let count = known.and_then(|known| known.get(word)).copied().unwrap_or_default();
                let delta = record.parts.get(word).copied().unwrap_or_default();
                if delta != 0 {
                    let (word, count) = (word.to_owned(), count + delta);
                    self.counts.push(counts::Changed { number: *number, restricted, word, count });
                }
                let rest = |count: i64| (count > 0).then_some(Weight::Rest);
                let old = record.old.get(word).copied().max(rest(count));
                let new = record.new.get(word).copied().max(rest(count + delta));
                if old != new {
                    weights.entry((block, word)).or_default().push((offset, new));
                }
            }
        }
        self.words.extend(changed_words(tx, organization, of, weights).await?);
        Ok(())
    }

    /// Makes the change.
    pub(super) async fn write(&self, tx: &mut Tx, organization: OrgId) -> Result<()> {
        self.write_words(tx, organization).await?;
        counts::write(tx, organization, self.kind, &self.counts).await?;
        stored::write(tx, organization, self.kind, &self.units).await
    }

    async fn write_words(&self, tx: &mut Tx, organization: OrgId) -> Result<()> {
        let (organization, kind) = (organization.uuid(), self.kind.as_str());
        let upsert = "INSERT INTO search_word (organization, noun, restricted, span, word, block, records)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (organization, noun, restricted, span, word, block)
                DO UPDATE SET records = excluded.records";
        let kept = self.words.iter().filter_map(|it| Some((it, it.stored.as_ref()?)));
        let rows: Vec<[&dyn Param; 7]> = kept
            .map(|(it, stored)| -> [&dyn Param; 7] {
                [&organization, &kind, &it.restricted, &it.span, &it.word, &it.block, stored]
            })
            .collect();
        tx.insert_many(upsert, &rows).await?;
        let delete = "DELETE FROM search_word
            WHERE organization = $1 AND noun = $2 AND restricted = $3
                AND span = $4 AND word = $5 AND block = $6";
        let gone = self.words.iter().filter(|it| it.stored.is_none());
        let rows: Vec<[&dyn Param; 6]> = gone
            .map(|it| -> [&dyn Param; 6] {
                [&organization, &kind, &it.restricted, &it.span, &it.word, &it.block]
            })
            .collect();
        Ok(tx.send_many(delete, &rows).await?)
    }
}

/// What changes of a record in one half of the index.
struct RecordChange<'t> {
    /// The words of the record itself, as the index has them.
    old: BTreeMap<&'t str, Weight>,
    /// And as they are to be.
    new: BTreeMap<&'t str, Weight>,
    /// By how many more parts have a word.
    parts: BTreeMap<&'t str, i64>,
    /// Whether the index has parts of it.
    has_parts: bool,
}

impl<'t> RecordChange<'t> {
    /// What changes of a record itself; `now` is none if that is not looked at.
    fn of(known: &'t Own, now: Option<Option<&'t Indexed>>, restricted: bool) -> Self {
        let words = |it: Option<&'t Indexed>| it.map(|it| it.words_in(restricted)).unwrap_or_default();
        let old = words(known.indexed.as_ref());
        let new = now.map_or_else(|| old.clone(), words);
        Self { old, new, parts: BTreeMap::new(), has_parts: known.has_parts }
    }

    /// Adds what changes of a part.
    fn add_part(&mut self, old: Option<&'t Indexed>, new: Option<&'t Indexed>, restricted: bool) {
        if old == new {
            return;
        }
        for (indexed, sign) in [(old, -1), (new, 1)] {
            for word in indexed.into_iter().flat_map(|it| it.words_in(restricted).into_keys()) {
                *self.parts.entry(word).or_default() += sign;
            }
        }
    }

    /// Whether it has no parts, in the index or to come into it: then it has the words that it has itself.
    fn is_alone(&self) -> bool {
        !self.has_parts && self.parts.is_empty()
    }

    /// The words whose weight in the record itself changes, with the new one.
    fn own_changes(&self) -> impl Iterator<Item = (&'t str, Option<Weight>)> {
        let gone = self.old.keys().filter(|word| !self.new.contains_key(*word)).map(|word| (*word, None));
        let set = self.new.iter().filter(|(word, weight)| self.old.get(*word) != Some(weight));
        gone.chain(set.map(|(word, weight)| (*word, Some(*weight))))
    }

    /// The words whose weight may change.
    fn touched(&self) -> BTreeSet<&'t str> {
        let own = self.own_changes().map(|(word, _)| word);
        own.chain(self.parts.iter().filter(|(_, delta)| **delta != 0).map(|(word, _)| *word)).collect()
    }
}

/// The words of which it matters how many parts have them.
fn wanted_counts<'t>(records: &BTreeMap<i64, RecordChange<'t>>) -> Vec<(&'t str, i64)> {
    let with_parts = records.iter().filter(|(_, record)| record.has_parts);
    with_parts.flat_map(|(number, record)| record.touched().into_iter().map(|word| (word, *number))).collect()
}
