//! How many parts of a record have a word. Without these numbers, taking a part out would have to look through all the others.

use std::collections::BTreeMap;

use db::{Param, Tx};
use domain::OrgId;
use domain::search::SearchKind;
use serde_json::json;

use crate::ledger::dialect::wanted_words;
use crate::ledger::error::Result;

/// A row of `search_part_word` as it is to be.
#[derive(Debug)]
pub(super) struct Changed {
    pub(super) number: i64,
    pub(super) restricted: bool,
    pub(super) word: String,
    /// 0: no part has the word any more.
    pub(super) count: i64,
}

/// How many parts of a record have a word: by the record's number and the word.
pub(super) type Counts = BTreeMap<i64, BTreeMap<String, i64>>;

/// How many parts have these words, each of the record with the number beside it.
pub(super) async fn read(
    tx: &mut Tx,
    organization: OrgId,
    (kind, restricted): (SearchKind, bool),
    words: Vec<(&str, i64)>,
) -> Result<Counts> {
    if words.is_empty() {
        return Ok(Counts::new());
    }
    let sql = format!(
        "SELECT wanted.block, wanted.word, (SELECT w.parts FROM search_part_word AS w
             WHERE w.organization = $1 AND w.noun = $2 AND w.restricted = $3
               AND w.number = wanted.block AND w.word = wanted.word)
         FROM {}",
        wanted_words(tx.engine(), "$4")
    );
    let words: Vec<_> = words.into_iter().map(|(word, number)| json!([word, number])).collect();
    let words = serde_json::Value::from(words).to_string();
    let params: [&dyn Param; 4] = [&organization.uuid(), &kind.as_str(), &restricted, &words];
    let rows: Vec<(i64, String, Option<i64>)> = tx.query(&sql, &params).await?;
    let mut counts = Counts::new();
    for (number, word, count) in rows {
        if let Some(count) = count {
            counts.entry(number).or_default().insert(word, count);
        }
    }
    Ok(counts)
}

pub(super) async fn write(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    changed: &[Changed],
) -> Result<()> {
    let (organization, kind) = (organization.uuid(), kind.as_str());
    let upsert = "INSERT INTO search_part_word (organization, noun, number, restricted, word, parts)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (organization, noun, number, restricted, word) DO UPDATE SET parts = excluded.parts";
    let kept = changed.iter().filter(|it| it.count > 0);
    let rows: Vec<[&dyn Param; 6]> = kept
        .map(|it| -> [&dyn Param; 6] {
            [&organization, &kind, &it.number, &it.restricted, &it.word, &it.count]
        })
        .collect();
    tx.insert_many(upsert, &rows).await?;
    let delete = "DELETE FROM search_part_word
        WHERE organization = $1 AND noun = $2 AND number = $3 AND restricted = $4 AND word = $5";
    let gone = changed.iter().filter(|it| it.count <= 0);
    let rows: Vec<[&dyn Param; 5]> = gone
        .map(|it| -> [&dyn Param; 5] { [&organization, &kind, &it.number, &it.restricted, &it.word] })
        .collect();
    Ok(tx.send_many(delete, &rows).await?)
}
