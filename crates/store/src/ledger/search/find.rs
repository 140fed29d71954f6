//! Finding the records that a query asks for.

use std::collections::{BTreeMap, BTreeSet};

use db::{Param, Tx};
use domain::OrgId;
use domain::search::{Looking, SearchKind, SearchQuery, Texts};

use super::block::Block;
use super::found::Found;
use super::words::{of_term, of_words, spans};
use super::{span, stored, texts};
use crate::ledger::error::Result;

/// Records whose texts are read at a time, where their order of words matters.
const TEXTS: usize = 1_000;

/// How many of the latest blocks are looked through first, at least.
const LATEST: i64 = 8;

/// A search through the records of one kind.
pub(crate) struct Search<'q> {
    organization: OrgId,
    kind: SearchKind,
    query: &'q SearchQuery,
    parts: Vec<Part>,
}

/// Which records of a kind a caller sees.
#[derive(Default)]
pub(crate) struct Seen {
    /// Of those that are not restricted: only these, if not all.
    pub(crate) open: Option<Found>,
    /// Of those that are restricted, if there are any: the same.
    pub(crate) restricted: Option<Option<Found>>,
}

/// A part of the index that is searched.
struct Part {
    /// Whether it has the restricted records.
    restricted: bool,
    /// The records that are looked for, if not all.
    among: Option<Found>,
    /// Its spans.
    spans: Vec<i64>,
}

impl<'q> Search<'q> {
    /// The search of a caller who sees these records of a kind.
    pub(crate) async fn of(
        tx: &mut Tx,
        organization: OrgId,
        kind: SearchKind,
        query: &'q SearchQuery,
        seen: Seen,
    ) -> Result<Self> {
        let mut search = Self { organization, kind, query, parts: Vec::new() };
        search.add(tx, false, seen.open).await?;
        if let Some(restricted) = seen.restricted {
            search.add(tx, true, restricted).await?;
        }
        Ok(search)
    }

    async fn add(&mut self, tx: &mut Tx, restricted: bool, among: Option<Found>) -> Result<()> {
        if !self.query.is_empty() && !among.as_ref().is_some_and(Found::is_empty) {
            let spans = spans(tx, self.organization, (self.kind, restricted)).await?;
            self.parts.push(Part { restricted, among, spans });
        }
        Ok(())
    }

    /// Everything that the query asks for.
    pub(crate) async fn all(&self, tx: &mut Tx) -> Result<Found> {
        let mut found = Found::default();
        for part in &self.parts {
            found = found.or(self.within(tx, part, &part.spans).await?);
        }
        Ok(found)
    }

    /// What the query asks for among the latest records, from the one with the number `before` on; and whether those are all.
    ///
    /// What has the words in its title comes before everything else, and of that the latest: if the latest records have enough
    /// of it for a page, no others need to be looked through.
    pub(crate) async fn latest(&self, tx: &mut Tx, before: i64) -> Result<(Found, bool)> {
        if self.query.terms.is_empty() {
            return Ok((self.all(tx).await?, true));
        }
        // The same ones of all parts: what is older than the others' could be missed.
        let last = self.parts.iter().filter_map(|part| part.spans.last().copied()).max();
        let last = span::of_block(tx.engine(), Block::place(before).0).min(last.unwrap_or_default());
        let latest = LATEST / span::size(tx.engine());
        let (mut found, mut is_all) = (Found::default(), true);
        for part in &self.parts {
            let is_late = |span: &&i64| (last - latest..=last).contains(*span);
            let spans: Vec<i64> = part.spans.iter().filter(is_late).copied().collect();
            is_all &= spans.len() == part.spans.len();
            found = found.or(self.within(tx, part, &spans).await?);
        }
        Ok((found, is_all))
    }

    /// Those of these words that the latest records have, each with the number of these.
    pub(crate) async fn known(&self, tx: &mut Tx, words: &BTreeSet<String>) -> Result<BTreeMap<String, i64>> {
        let mut counts = BTreeMap::new();
        for part in &self.parts {
            let of = (self.kind, part.restricted);
            for (word, mut found) in of_words(tx, self.organization, of, &part.spans, words).await? {
                if let Some(among) = &part.among {
                    found.only(among);
                }
                *counts.entry(word).or_default() += found.count();
            }
        }
        counts.retain(|_, count| *count > 0);
        Ok(counts)
    }

    /// The records of these spans of a part.
    async fn within(&self, tx: &mut Tx, part: &Part, spans: &[i64]) -> Result<Found> {
        let (organization, query, of) = (self.organization, self.query, (self.kind, part.restricted));
        let mut found: Option<Found> = None;
        for term in &query.terms {
            let blocks = found.as_ref().map_or_else(|| span::blocks(tx.engine(), spans), Found::blocks);
            if blocks.is_empty() {
                return Ok(Found::default());
            }
            let next = of_term(tx, organization, of, &blocks, term).await?;
            let found = match &mut found {
                Some(found) => {
                    found.and(&next);
                    found
                }
                None => found.insert(next),
            };
            if let Some(among) = &part.among {
                found.only(among);
            }
        }
        let mut found = match found {
            Some(found) => found,
            None => everything(tx, organization, of, part.among.as_ref()).await?,
        };
        if found.is_empty() {
            return Ok(found);
        }
        let has_phrase = query.terms.iter().any(|term| term.words.len() > 1);
        let mut doubtful = if has_phrase { found.clone() } else { Found::default() };
        for term in &query.excluded {
            let others = of_term(tx, organization, of, &found.blocks(), term).await?;
            if term.words.len() > 1 {
                doubtful = doubtful.or(others);
            } else {
                found.without(&others);
            }
        }
        doubtful.only(&found);
        check_texts(tx, organization, self.kind, query, &doubtful, &mut found).await?;
        Ok(found)
    }
}

/// The records of a kind that a query asks for, where everybody sees all.
pub(crate) async fn find(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    query: &SearchQuery,
) -> Result<Found> {
    Search::of(tx, organization, kind, query, Seen::default()).await?.all(tx).await
}

/// The slugs of the documents that a query asks for. Those are few.
pub(crate) async fn find_documents(
    tx: &mut Tx,
    organization: OrgId,
    query: &SearchQuery,
) -> Result<Vec<String>> {
    let found = find(tx, organization, SearchKind::Document, query).await?;
    let numbers: Vec<i64> = found.numbers().collect();
    let known = stored::own(tx, organization, SearchKind::Document, &numbers).await?;
    Ok(known.into_values().filter_map(|it| it.indexed?.id).collect())
}

/// Reads the texts of the records of which the index does not know whether the words follow each other.
async fn check_texts(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    query: &SearchQuery,
    doubtful: &Found,
    found: &mut Found,
) -> Result<()> {
    let numbers: Vec<i64> = doubtful.numbers().collect();
    for numbers in numbers.chunks(TEXTS) {
        let mut looked: BTreeMap<i64, Looking<'_>> =
            numbers.iter().map(|number| (*number, query.looking())).collect();
        let look_at = |number: i64, texts: Texts| {
            looked.entry(number).and_modify(|looking| looking.look_at(&texts));
        };
        stored::each(tx, organization, kind, numbers, look_at).await?;
        looked.into_iter().for_each(|(number, looking)| found.set(number, looking.weight()));
    }
    Ok(())
}

/// Those of these records that a query asks for by their present texts, which the index may not know yet.
pub(crate) async fn still_found(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    query: &SearchQuery,
    mut numbers: Vec<i64>,
) -> Result<Vec<i64>> {
    let mut found = BTreeSet::new();
    for numbers in numbers.chunks(TEXTS) {
        found.extend(texts::found_now(tx, organization, kind, query, numbers).await?);
    }
    numbers.retain(|number| found.contains(number));
    Ok(numbers)
}

/// Every record of a part of the index, for a query that only excludes.
async fn everything(
    tx: &mut Tx,
    organization: OrgId,
    (kind, restricted): (SearchKind, bool),
    among: Option<&Found>,
) -> Result<Found> {
    let sql = "SELECT number FROM search_record WHERE organization = $1 AND noun = $2 AND restricted = $3";
    let params: [&dyn Param; 3] = [&organization.uuid(), &kind.as_str(), &restricted];
    let rows: Vec<(i64,)> = tx.query(sql, &params).await?;
    let mut found = Found::of_numbers(rows.into_iter().map(|(number,)| number));
    if let Some(among) = among {
        found.only(among);
    }
    Ok(found)
}
