//! Rows of `search_word`.

use std::collections::{BTreeMap, BTreeSet};

use db::{Engine, Param, Tx, Value};
use domain::OrgId;
use domain::search::{SearchKind, Term};
use serde_json::json;
use uuid::Uuid;

use super::block::{Block, changed};
use super::found::Found;
use super::indexed::Weights;
use super::span;
use crate::ledger::dialect::{numbers_parameter, wanted_numbers, wanted_words};
use crate::ledger::error::{Error, Result};
use crate::ledger::list::Text;

/// If of each span only so many blocks are wanted, the rows of those are looked up, and no others of their spans are read.
const FEW: usize = 2;

/// The spans of a half of the index.
pub(super) async fn spans(
    tx: &mut Tx,
    organization: OrgId,
    (kind, restricted): (SearchKind, bool),
) -> Result<Vec<i64>> {
    let sql = "SELECT MAX(span) FROM search_word WHERE organization = $1 AND noun = $2 AND restricted = $3";
    let params: [&dyn Param; 3] = [&organization.uuid(), &kind.as_str(), &restricted];
    let (last,): (Option<i64>,) = tx.query_one(sql, &params).await?;
    Ok(last.map_or_else(Vec::new, |last| (0..=last).collect()))
}

/// The records of these blocks that have a word, or a word that begins with it. Others of their spans may be among them.
async fn of_word(
    tx: &mut Tx,
    organization: OrgId,
    (kind, restricted): (SearchKind, bool),
    blocks: &[i64],
    word: &str,
    is_prefix: bool,
) -> Result<Found> {
    let engine = tx.engine();
    let spans: BTreeSet<i64> = blocks.iter().map(|block| span::of_block(engine, *block)).collect();
    let is_by_span = is_prefix || blocks.len() > FEW * spans.len();
    let wanted = if is_by_span { spans.into_iter().collect() } else { blocks.to_vec() };
    let mut text = Text::of(organization);
    text.add(numbers_parameter(wanted).into());
    let (kind, restricted) = (text.add(kind.as_str().into()), text.add(Value::Bool(restricted)));
    let from = text.add(word.into());
    let words = match is_prefix {
        false => format!("w.word = {from}"),
        true => {
            // No character is greater than the last one.
            let to = text.add(Value::Text(format!("{word}\u{10FFFF}").into()));
            format!("w.word >= {from} AND w.word < {to}")
        }
    };
    let key = match is_by_span {
        true => format!("w.span = wanted.number AND {words}"),
        false => {
            format!("w.span = wanted.number / {} AND {words} AND w.block = wanted.number", span::size(engine))
        }
    };
    let sql = format!(
        "SELECT w.block, w.records FROM {} CROSS JOIN search_word AS w
         WHERE w.organization = $1 AND w.noun = {kind} AND w.restricted = {restricted} AND {key}",
        wanted_numbers(engine)
    );
    let rows: Vec<(i64, Vec<u8>)> = tx.query(&sql, &text.params()).await?;
    let mut found = Found::default();
    for (block, stored) in rows {
        found.add(block, &stored).ok_or_else(damaged)?;
    }
    Ok(found)
}

/// How many of the latest spans are looked through for words that exist.
const LATEST: usize = 4;

/// Those of these words that the latest records of a half of the index have, each with these records.
pub(super) async fn of_words(
    tx: &mut Tx,
    organization: OrgId,
    (kind, restricted): (SearchKind, bool),
    spans: &[i64],
    words: &BTreeSet<String>,
) -> Result<BTreeMap<String, Found>> {
    let latest = spans.iter().rev().take(LATEST);
    let keys: Vec<_> = latest.flat_map(|span| words.iter().map(move |word| json!([word, span]))).collect();
    if keys.is_empty() {
        return Ok(BTreeMap::new());
    }
    let sql = format!(
        "SELECT w.word, w.block, w.records FROM {} CROSS JOIN search_word AS w
         WHERE w.organization = $1 AND w.noun = $2 AND w.restricted = $3
           AND w.span = wanted.block AND w.word = wanted.word",
        wanted_words(tx.engine(), "$4")
    );
    let keys = serde_json::Value::from(keys).to_string();
    let params: [&dyn Param; 4] = [&organization.uuid(), &kind.as_str(), &restricted, &keys];
    let rows: Vec<(String, i64, Vec<u8>)> = tx.query(&sql, &params).await?;
    let mut found: BTreeMap<String, Found> = BTreeMap::new();
    for (word, block, stored) in rows {
        found.entry(word).or_default().add(block, &stored).ok_or_else(damaged)?;
    }
    Ok(found)
}

/// The records of these blocks that have every word of a term, whatever their order.
pub(super) async fn of_term(
    tx: &mut Tx,
    organization: OrgId,
    of: (SearchKind, bool),
    blocks: &[i64],
    term: &Term,
) -> Result<Found> {
    let mut found: Option<Found> = None;
    let last = term.words.len().saturating_sub(1);
    for (place, word) in term.words.iter().enumerate() {
        let blocks = found.as_ref().map_or_else(|| blocks.to_vec(), Found::blocks);
        let next = of_word(tx, organization, of, &blocks, word, term.is_prefix && place == last).await?;
        match &mut found {
            Some(found) => found.and(&next),
            None => found = Some(next),
        }
    }
    Ok(found.unwrap_or_default())
}

/// A row of `search_word` as it is to be.
#[derive(Debug)]
pub(super) struct ChangedWord {
    pub(super) restricted: bool,
    pub(super) span: i64,
    pub(super) word: String,
    pub(super) block: i64,
    /// None: no record has the word any more.
    pub(super) stored: Option<Vec<u8>>,
}

/// The rows of a half of the index with these new weights.
pub(super) async fn changed_words(
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

/// A row of the index.
pub(crate) struct WordRow {
    pub(crate) kind: String,
    pub(crate) restricted: bool,
    pub(crate) span: i64,
    pub(crate) word: String,
    pub(crate) number: i64,
    pub(crate) block: Block,
}

impl WordRow {
    /// Whether searches find it: in the span of its block.
    pub(crate) fn is_found(&self, engine: Engine) -> bool {
        self.span == span::of_block(engine, self.number)
    }
}

/// Up to `limit` rows in the order of the key, after one.
pub(crate) async fn words_after(
    tx: &mut Tx,
    organization: OrgId,
    after: Option<&WordRow>,
    limit: i64,
) -> Result<Vec<WordRow>> {
    let sql = "SELECT noun, restricted, span, word, block, records FROM search_word
        WHERE organization = $1 AND (noun, restricted, span, word, block) > ($2, $3, $4, $5, $6)
        ORDER BY noun, restricted, span, word, block LIMIT $7";
    let first = (String::new(), false, i64::MIN, String::new(), i64::MIN);
    let (kind, restricted, span, word, number) =
        after.map_or(first, |row| (row.kind.clone(), row.restricted, row.span, row.word.clone(), row.number));
    let organization: Uuid = organization.uuid();
    let params: [&dyn Param; 7] = [&organization, &kind, &restricted, &span, &word, &number, &limit];
    let rows: Vec<(String, bool, i64, String, i64, Vec<u8>)> = tx.query(sql, &params).await?;
    let row = |(kind, restricted, span, word, number, stored): (String, bool, i64, String, i64, Vec<u8>)| {
        Ok(WordRow { kind, restricted, span, word, number, block: block(&stored)? })
    };
    rows.into_iter().map(row).collect()
}

/// Reads a block.
fn block(stored: &[u8]) -> Result<Block> {
    Block::decode(stored).ok_or_else(damaged)
}

/// The error of a row that is no block.
pub(super) fn damaged() -> Error {
    db::Error::Internal("search_word.records is damaged".to_owned()).into()
}
