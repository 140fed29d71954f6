//! Making the index of records what the records are.

use std::collections::{BTreeMap, BTreeSet};

use db::{Param, Tx};
use domain::OrgId;
use domain::search::{SearchKind, Texts, Weight};
use serde_json::json;

use super::block::{Block, changed};
use super::follow::note_removal;
use super::span;
use super::texts::texts;
use super::words::damaged;
use crate::dialect::{numbers_parameter, wanted_numbers, wanted_words};
use crate::error::{Error, Result};

/// What the index has of a record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Indexed {
    /// Of a document.
    pub(crate) id: Option<String>,
    /// Whether its words are among those of restricted incidents.
    pub(crate) restricted: bool,
    /// Its words.
    pub(crate) texts: Texts,
}

/// The new weights of words: by block and word, as they are stored, and then by offset.
type Weights<'t> = BTreeMap<(i64, &'t str), Vec<(usize, Option<Weight>)>>;

/// How the index of some records of a kind is to change.
#[derive(Debug)]
pub(super) struct Change {
    kind: SearchKind,
    words: Vec<ChangedWord>,
    /// By number. None: it leaves the index.
    records: BTreeMap<i64, Option<Indexed>>,
}

/// A row of `search_word` as it is to be.
#[derive(Debug)]
struct ChangedWord {
    restricted: bool,
    span: i64,
    word: String,
    block: i64,
    /// None: no record has the word any more.
    stored: Option<Vec<u8>>,
}

/// Takes what these records have lost out of the index, in the write in which they lose it. What they have beside it, and records
/// that the index does not have yet, come into it when it follows the journal.
pub(crate) async fn take_out(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    numbers: &[i64],
) -> Result<()> {
    note_removal(tx, organization).await?;
    let before = stored(tx, organization, kind, numbers).await?;
    let known: Vec<i64> = before.keys().copied().collect();
    match known.is_empty() {
        true => Ok(()),
        false => Change::since(tx, organization, kind, &known, before).await?.write(tx, organization).await,
    }
}

impl Change {
    /// What makes the index of these records what they are now: those that are gone or deleted leave it. The number of statements
    /// does not depend on how many records there are.
    pub(super) async fn of(
        tx: &mut Tx,
        organization: OrgId,
        kind: SearchKind,
        numbers: &[i64],
    ) -> Result<Self> {
        if numbers.is_empty() {
            return Ok(Self { kind, words: Vec::new(), records: BTreeMap::new() });
        }
        let before = stored(tx, organization, kind, numbers).await?;
        Self::since(tx, organization, kind, numbers, before).await
    }

    /// How these records differ from what the index has of them.
    async fn since(
        tx: &mut Tx,
        organization: OrgId,
        kind: SearchKind,
        numbers: &[i64],
        before: BTreeMap<i64, Indexed>,
    ) -> Result<Self> {
        let mut now = texts(tx, organization, kind, numbers).await?;
        let differs = |number: &i64| now.get(number) != before.get(number);
        let numbers: BTreeSet<i64> = now.keys().chain(before.keys()).copied().filter(differs).collect();
        let mut changed = Vec::new();
        for restricted in [false, true] {
            let mut weights = Weights::new();
            for number in &numbers {
                let (old, new) = (words(&before, *number, restricted), words(&now, *number, restricted));
                let (place, offset) = Block::place(*number);
                let gone = old.keys().filter(|word| !new.contains_key(*word)).map(|word| (*word, None));
                let set = new.iter().filter(|(word, weight)| old.get(*word) != Some(weight));
                for (word, weight) in gone.chain(set.map(|(word, weight)| (*word, Some(*weight)))) {
                    weights.entry((place, word)).or_default().push((offset, weight));
                }
            }
            changed.extend(changed_words(tx, organization, (kind, restricted), weights).await?);
        }
        let records = numbers.into_iter().map(|number| (number, now.remove(&number))).collect();
        Ok(Self { kind, words: changed, records })
    }

    /// Makes the change.
    pub(super) async fn write(&self, tx: &mut Tx, organization: OrgId) -> Result<()> {
        self.write_words(tx, organization).await?;
        self.write_records(tx, organization).await
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

    async fn write_records(&self, tx: &mut Tx, organization: OrgId) -> Result<()> {
        let (organization, kind) = (organization.uuid(), self.kind.as_str());
        let there = self.records.iter().filter_map(|(number, it)| Some((number, it.as_ref()?)));
        let rows: Vec<_> = there.map(|(number, it)| (number, it, it.texts.stored())).collect();
        let upsert = "INSERT INTO search_record (organization, noun, number, id, restricted, texts)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (organization, noun, number)
                DO UPDATE SET restricted = excluded.restricted, texts = excluded.texts";
        let rows: Vec<[&dyn Param; 6]> = rows
            .iter()
            .map(|(number, it, texts)| -> [&dyn Param; 6] {
                [&organization, &kind, *number, &it.id, &it.restricted, texts]
            })
            .collect();
        tx.insert_many(upsert, &rows).await?;
        let gone = self.records.iter().filter(|(_, it)| it.is_none());
        let rows: Vec<[&dyn Param; 3]> =
            gone.map(|(number, _)| -> [&dyn Param; 3] { [&organization, &kind, number] }).collect();
        let delete = "DELETE FROM search_record WHERE organization = $1 AND noun = $2 AND number = $3";
        Ok(tx.send_many(delete, &rows).await?)
    }
}

/// The words of a record in one part of the index.
fn words(records: &BTreeMap<i64, Indexed>, number: i64, restricted: bool) -> BTreeMap<&str, Weight> {
    let found = records.get(&number).filter(|it| it.restricted == restricted);
    found.map(|it| it.texts.words()).unwrap_or_default()
}

/// The rows of a part of the index with these new weights.
async fn changed_words(
    tx: &mut Tx,
    organization: OrgId,
    (kind, restricted): (SearchKind, bool),
    weights: Weights<'_>,
) -> Result<Vec<ChangedWord>> {
    if weights.is_empty() {
        return Ok(Vec::new());
    }
    let engine = tx.engine();
    let keys: Vec<_> = weights.keys().map(|(block, word)| json!([word, block])).collect();
    let keys = serde_json::Value::from(keys).to_string();
    let sql = format!(
        "SELECT wanted.word, wanted.block, (SELECT w.records FROM search_word AS w
             WHERE w.organization = $1 AND w.noun = $2 AND w.restricted = $3
               AND w.span = wanted.block / {} AND w.word = wanted.word AND w.block = wanted.block)
         FROM {}",
        span::size(engine),
        wanted_words(engine, "$4")
    );
    let params: [&dyn Param; 4] = [&organization.uuid(), &kind.as_str(), &restricted, &keys];
    let rows: Vec<(String, i64, Option<Vec<u8>>)> = tx.query(&sql, &params).await?;
    let mut words = Vec::with_capacity(rows.len());
    for (word, block, before) in rows {
        let weights = weights.get(&(block, word.as_str())).map_or(&[][..], Vec::as_slice);
        let stored = changed(before.as_deref(), weights).map_err(|_| damaged())?;
        if before.is_some() || stored.is_some() {
            words.push(ChangedWord { restricted, span: span::of_block(engine, block), word, block, stored });
        }
    }
    Ok(words)
}

/// What the index has of these records.
pub(super) async fn stored(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    numbers: &[i64],
) -> Result<BTreeMap<i64, Indexed>> {
    let sql = format!(
        "SELECT r.number, r.id, r.restricted, r.texts FROM {} CROSS JOIN search_record AS r
         WHERE r.organization = $1 AND r.noun = $3 AND r.number = wanted.number",
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(numbers.iter().copied());
    let params: [&dyn Param; 3] = [&organization.uuid(), &numbers, &kind.as_str()];
    tx.query::<Row>(&sql, &params).await?.into_iter().map(read).collect()
}

/// Up to `limit` records of the index in the order of their numbers, after one.
pub(crate) async fn stored_after(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    after: i64,
    limit: i64,
) -> Result<BTreeMap<i64, Indexed>> {
    let sql = "SELECT number, id, restricted, texts FROM search_record
        WHERE organization = $1 AND noun = $2 AND number > $3 ORDER BY number LIMIT $4";
    let params: [&dyn Param; 4] = [&organization.uuid(), &kind.as_str(), &after, &limit];
    tx.query::<Row>(sql, &params).await?.into_iter().map(read).collect()
}

type Row = (i64, Option<String>, bool, String);

fn read((number, id, restricted, texts): Row) -> Result<(i64, Indexed)> {
    let damaged = || Error::from(db::Error::Internal("search_record.texts is damaged".to_owned()));
    Ok((number, Indexed { id, restricted, texts: Texts::parse(&texts).ok_or_else(damaged)? }))
}
