//! Rows of `search_word`.

use db::{Param, Tx, Value};
use domain::OrgId;
use domain::search::{SearchKind, Term};
use uuid::Uuid;

use super::block::Block;
use super::found::Found;
use crate::dialect::{numbers_parameter, wanted_numbers};
use crate::error::{Error, Result};
use crate::list::Text;

/// The blocks of a part of the index.
pub(super) async fn blocks(
    tx: &mut Tx,
    organization: OrgId,
    (kind, restricted): (SearchKind, bool),
) -> Result<Vec<i64>> {
    let sql = "SELECT MAX(block) FROM search_word WHERE organization = $1 AND noun = $2 AND restricted = $3";
    let params: [&dyn Param; 3] = [&organization.uuid(), &kind.as_str(), &restricted];
    let (last,): (Option<i64>,) = tx.query_one(sql, &params).await?;
    Ok(last.map_or_else(Vec::new, |last| (0..=last).collect()))
}

/// The records of these blocks that have a word, or a word that begins with it.
async fn of_word(
    tx: &mut Tx,
    organization: OrgId,
    (kind, restricted): (SearchKind, bool),
    blocks: &[i64],
    word: &str,
    is_prefix: bool,
) -> Result<Found> {
    let mut text = Text::of(organization);
    text.add(numbers_parameter(blocks.iter().copied()).into());
    let (kind, restricted) = (text.add(kind.as_str().into()), text.add(Value::Bool(restricted)));
    let from = text.add(word.into());
    let wanted = wanted_numbers(tx.engine());
    let key = format!(
        "w.organization = $1 AND w.noun = {kind} AND w.restricted = {restricted} AND w.block = wanted.number"
    );
    let sql = match is_prefix {
        false => format!(
            "SELECT wanted.number, (SELECT w.records FROM search_word AS w WHERE {key} AND w.word = {from})
             FROM {wanted}"
        ),
        true => {
            // No character is greater than the last one.
            let to = text.add(Value::Text(format!("{word}\u{10FFFF}").into()));
            format!(
                "SELECT w.block, w.records FROM {wanted} CROSS JOIN search_word AS w
                 WHERE {key} AND w.word >= {from} AND w.word < {to}"
            )
        }
    };
    let rows: Vec<(i64, Option<Vec<u8>>)> = tx.query(&sql, &text.params()).await?;
    let mut found = Found::default();
    for (number, stored) in rows {
        stored.map_or(Some(()), |stored| found.add(number, &stored)).ok_or_else(damaged)?;
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

/// A row of the index.
pub(crate) struct WordRow {
    pub(crate) kind: String,
    pub(crate) restricted: bool,
    pub(crate) word: String,
    pub(crate) number: i64,
    pub(crate) block: Block,
}

/// Up to `limit` rows in the order of the key, after one.
pub(crate) async fn words_after(
    tx: &mut Tx,
    organization: OrgId,
    after: Option<&WordRow>,
    limit: i64,
) -> Result<Vec<WordRow>> {
    let sql = "SELECT noun, restricted, word, block, records FROM search_word
        WHERE organization = $1 AND (noun, restricted, block, word) > ($2, $3, $4, $5)
        ORDER BY noun, restricted, block, word LIMIT $6";
    let first = (String::new(), false, String::new(), i64::MIN);
    let (kind, restricted, word, number) =
        after.map_or(first, |row| (row.kind.clone(), row.restricted, row.word.clone(), row.number));
    let organization: Uuid = organization.uuid();
    let params: [&dyn Param; 6] = [&organization, &kind, &restricted, &number, &word, &limit];
    let rows: Vec<(String, bool, String, i64, Vec<u8>)> = tx.query(sql, &params).await?;
    let row = |(kind, restricted, word, number, stored): (String, bool, String, i64, Vec<u8>)| {
        Ok(WordRow { kind, restricted, word, number, block: block(&stored)? })
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
