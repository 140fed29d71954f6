//! Rows of `search_word`.

use db::{Param, Tx, Value};
use domain::OrgId;
use domain::search::{SearchKind, Term};
use uuid::Uuid;

use super::block::Block;
use super::found::Found;
use crate::error::{Error, Result};
use crate::list::Text;

/// The records that have the last word of a term, or a word that begins with it.
pub(super) async fn of_word(
    tx: &mut Tx,
    organization: OrgId,
    (kind, restricted): (SearchKind, bool),
    word: &str,
    is_prefix: bool,
) -> Result<Found> {
    let mut text = Text::of(organization);
    let (kind, restricted) = (text.add(kind.as_str().into()), text.add(Value::Bool(restricted)));
    let from = text.add(word.into());
    let condition = match is_prefix {
        false => format!("word = {from}"),
        // No character is greater than the last one.
        true => {
            let to = text.add(Value::Text(format!("{word}\u{10FFFF}").into()));
            format!("word >= {from} AND word < {to}")
        }
    };
    let sql = format!(
        "SELECT block, records FROM search_word
         WHERE organization = $1 AND noun = {kind} AND restricted = {restricted} AND {condition}"
    );
    let rows: Vec<(i64, Vec<u8>)> = tx.query(&sql, &text.params()).await?;
    let blocks: Result<Vec<_>> =
        rows.into_iter().map(|(number, stored)| Ok((number, block(&stored)?))).collect();
    Ok(Found::of(blocks?))
}

/// The records that have every word of a term, whatever their order.
pub(super) async fn of_term(
    tx: &mut Tx,
    organization: OrgId,
    of: (SearchKind, bool),
    term: &Term,
) -> Result<Found> {
    let mut found: Option<Found> = None;
    let last = term.words.len().saturating_sub(1);
    for (place, word) in term.words.iter().enumerate() {
        let next = of_word(tx, organization, of, word, term.is_prefix && place == last).await?;
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
        WHERE organization = $1 AND (noun, restricted, word, block) > ($2, $3, $4, $5)
        ORDER BY noun, restricted, word, block LIMIT $6";
    let first = (String::new(), false, String::new(), 0);
    let (kind, restricted, word, number) =
        after.map_or(first, |row| (row.kind.clone(), row.restricted, row.word.clone(), row.number));
    let organization: Uuid = organization.uuid();
    let params: [&dyn Param; 6] = [&organization, &kind, &restricted, &word, &number, &limit];
    let rows: Vec<(String, bool, String, i64, Vec<u8>)> = tx.query(sql, &params).await?;
    let row = |(kind, restricted, word, number, stored): (String, bool, String, i64, Vec<u8>)| {
        Ok(WordRow { kind, restricted, word, number, block: block(&stored)? })
    };
    rows.into_iter().map(row).collect()
}

/// Reads a block.
pub(super) fn block(stored: &[u8]) -> Result<Block> {
    Block::decode(stored)
        .ok_or_else(|| Error::from(db::Error::Internal("search_word.records is damaged".to_owned())))
}
