//! Making the index of records what the records are.

use std::collections::{BTreeMap, BTreeSet};

use db::{Param, Tx};
use domain::OrgId;
use domain::search::{SearchKind, Texts, Weight};
use serde_json::json;

use super::block::{Block, changed};
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
type Changes<'t> = BTreeMap<(i64, &'t str), Vec<(usize, Option<Weight>)>>;

/// Makes the index of these records what they are now: those that are gone or deleted leave it. The number of statements does
/// not depend on how many records there are.
pub(crate) async fn refresh(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    numbers: &[i64],
) -> Result<()> {
    if numbers.is_empty() {
        return Ok(());
    }
    let before = stored(tx, organization, kind, numbers).await?;
    write(tx, organization, kind, numbers, before).await
}

/// The same for those of these records that are in the index: what was taken out of them leaves it in this write. The others
/// come into it when it follows the journal.
pub(crate) async fn take_out(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    numbers: &[i64],
) -> Result<()> {
    let before = stored(tx, organization, kind, numbers).await?;
    let known: Vec<i64> = before.keys().copied().collect();
    match known.is_empty() {
        true => Ok(()),
        false => write(tx, organization, kind, &known, before).await,
    }
}

/// Writes how the index of these records differs from what they are now.
async fn write(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    numbers: &[i64],
    before: BTreeMap<i64, Indexed>,
) -> Result<()> {
    let now = texts(tx, organization, kind, numbers).await?;
    let differs = |number: &i64| now.get(number) != before.get(number);
    let numbers: BTreeSet<i64> = now.keys().chain(before.keys()).copied().filter(differs).collect();
    if numbers.is_empty() {
        return Ok(());
    }
    for restricted in [false, true] {
        let mut changes = Changes::new();
        for number in &numbers {
            let (old, new) = (words(&before, *number, restricted), words(&now, *number, restricted));
            let (place, offset) = Block::place(*number);
            let gone = old.keys().filter(|word| !new.contains_key(*word)).map(|word| (*word, None));
            let set = new.iter().filter(|(word, weight)| old.get(*word) != Some(weight));
            for (word, weight) in gone.chain(set.map(|(word, weight)| (*word, Some(*weight)))) {
                changes.entry((place, word)).or_default().push((offset, weight));
            }
        }
        write_words(tx, organization, (kind, restricted), changes).await?;
    }
    write_records(tx, organization, kind, &numbers, &now).await
}

/// The words of a record in one part of the index.
fn words(records: &BTreeMap<i64, Indexed>, number: i64, restricted: bool) -> BTreeMap<&str, Weight> {
    let found = records.get(&number).filter(|it| it.restricted == restricted);
    found.map(|it| it.texts.words()).unwrap_or_default()
}

/// Writes the rows of words that have changed.
async fn write_words(
    tx: &mut Tx,
    organization: OrgId,
    (kind, restricted): (SearchKind, bool),
    changes: Changes<'_>,
) -> Result<()> {
    if changes.is_empty() {
        return Ok(());
    }
    let keys: Vec<_> = changes.keys().map(|(number, word)| json!([word, number])).collect();
    let keys = serde_json::Value::from(keys).to_string();
    let sql = format!(
        "SELECT wanted.word, wanted.block, (SELECT w.records FROM search_word AS w
             WHERE w.organization = $1 AND w.noun = $2 AND w.restricted = $3
               AND w.word = wanted.word AND w.block = wanted.block)
         FROM {}",
        wanted_words(tx.engine(), "$4")
    );
    let (organization, kind) = (organization.uuid(), kind.as_str());
    let params: [&dyn Param; 4] = [&organization, &kind, &restricted, &keys];
    let rows: Vec<(String, i64, Option<Vec<u8>>)> = tx.query(&sql, &params).await?;
    let mut kept: Vec<(String, i64, Vec<u8>)> = Vec::new();
    let mut gone: Vec<(String, i64)> = Vec::new();
    for (word, number, stored) in rows {
        let was_there = stored.is_some();
        let changes = changes.get(&(number, word.as_str())).map_or(&[][..], Vec::as_slice);
        match changed(stored.as_deref(), changes).map_err(|_| damaged())? {
            Some(stored) => kept.push((word, number, stored)),
            None if was_there => gone.push((word, number)),
            None => {}
        }
    }
    let upsert = "INSERT INTO search_word (organization, noun, restricted, word, block, records)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (organization, noun, restricted, block, word) DO UPDATE SET records = excluded.records";
    let rows: Vec<[&dyn Param; 6]> = kept
        .iter()
        .map(|(word, number, stored)| -> [&dyn Param; 6] {
            [&organization, &kind, &restricted, word, number, stored]
        })
        .collect();
    tx.insert_many(upsert, &rows).await?;
    let delete = "DELETE FROM search_word
        WHERE organization = $1 AND noun = $2 AND restricted = $3 AND word = $4 AND block = $5";
    let rows: Vec<[&dyn Param; 5]> = gone
        .iter()
        .map(|(word, number)| -> [&dyn Param; 5] { [&organization, &kind, &restricted, word, number] })
        .collect();
    tx.send_many(delete, &rows).await?;
    Ok(())
}

/// Writes what the index has of these records.
async fn write_records(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    numbers: &BTreeSet<i64>,
    now: &BTreeMap<i64, Indexed>,
) -> Result<()> {
    let (organization, kind) = (organization.uuid(), kind.as_str());
    let there = now.iter().filter(|(number, _)| numbers.contains(number));
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
    let gone: Vec<i64> = numbers.iter().copied().filter(|number| !now.contains_key(number)).collect();
    let rows: Vec<[&dyn Param; 3]> =
        gone.iter().map(|number| -> [&dyn Param; 3] { [&organization, &kind, number] }).collect();
    tx.send_many("DELETE FROM search_record WHERE organization = $1 AND noun = $2 AND number = $3", &rows)
        .await?;
    Ok(())
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
