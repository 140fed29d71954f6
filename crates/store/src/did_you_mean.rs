//! What somebody may have meant whose search found nothing.

use std::collections::BTreeSet;

use db::Tx;
use domain::OrgId;
use domain::incident::Viewer;
use domain::search::{SearchKind, SearchQuery, Term, corrected, one_letter_away};
use macros::boxed;

use crate::hits::count;
use crate::ledger::error::Result;
use crate::ledger::search::known_words;

/// How many words of a query are looked at.
const WORDS: usize = 3;

/// How many words that exist are tried for one.
const TRIED: usize = 5;

/// The text of a search that found nothing, with words that are one letter away and found something among the records of these
/// kinds that the caller sees; none if there is no such text. `read` is how the text is read.
#[boxed]
pub async fn did_you_mean(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    kinds: &[SearchKind],
    text: &str,
    read: fn(&str) -> SearchQuery,
) -> Result<Option<String>> {
    let (query, mut corrections) = (read(text), text.to_owned());
    let words: BTreeSet<String> = query.terms.into_iter().flat_map(|term| term.words).collect();
    for word in words.into_iter().take(WORDS) {
        if found(tx, organization, viewer, kinds, &word).await? == 0
            && let Some(meant) = meant(tx, organization, viewer, kinds, &word).await?
            && let Some(corrected) = corrected(&corrections, &word, &meant)
        {
            corrections = corrected;
        }
    }
    if corrections == text || count(tx, organization, viewer, (kinds, &read(&corrections))).await? == 0 {
        return Ok(None);
    }
    Ok(Some(corrections))
}

/// The word one letter away that most records have.
async fn meant(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    kinds: &[SearchKind],
    word: &str,
) -> Result<Option<String>> {
    let away = one_letter_away(word);
    let mut known = BTreeSet::new();
    for kind in kinds {
        for restricted in [false, true] {
            known.extend(known_words(tx, organization, (*kind, restricted), &away).await?);
        }
    }
    let mut best = (0, None);
    for meant in known.into_iter().take(TRIED) {
        let count = found(tx, organization, viewer, kinds, &meant).await?;
        if count > best.0 {
            best = (count, Some(meant));
        }
    }
    Ok(best.1)
}

/// How many records that the caller sees have a word.
async fn found(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    kinds: &[SearchKind],
    word: &str,
) -> Result<i64> {
    let term = Term { words: vec![word.to_owned()], is_prefix: false };
    let query = SearchQuery { terms: vec![term], ..SearchQuery::default() };
    count(tx, organization, viewer, (kinds, &query)).await
}
