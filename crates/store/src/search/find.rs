//! Finding the records that a query asks for.

use db::{Param, Tx};
use domain::OrgId;
use domain::incident::{Sees, Viewer};
use domain::search::{SearchKind, SearchQuery};

use super::block::Block;
use super::found::Found;
use super::index::stored;
use super::words::{blocks, of_term};
use crate::error::Result;
use crate::incidents::own_numbers;

/// Records whose texts are read at a time, where their order of words matters.
const TEXTS: usize = 1_000;

/// How many of the latest blocks are looked through first.
const LATEST: i64 = 8;

/// Which records are looked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    All,
    /// Those of the latest blocks, from the one of this record on.
    Latest(i64),
}

/// What was found, and whether all records were looked through.
type Reached = (Found, bool);

/// The risks or documents that a query asks for.
pub(crate) async fn find(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    query: &SearchQuery,
) -> Result<Found> {
    Ok(evaluate(tx, organization, (kind, false), query, None, Reach::All).await?.0)
}

/// What a query asks for among the latest records of a kind, from the one with the number `before` on; and whether those are all.
///
/// What has the words in its title comes before everything else, and of that the latest: if the latest records have enough of
/// it for a page, no others need to be looked through.
pub(crate) async fn find_latest(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    kind: SearchKind,
    query: &SearchQuery,
    before: i64,
) -> Result<Reached> {
    let reach = Reach::Latest(before);
    match kind {
        SearchKind::Incident => incidents(tx, organization, viewer, query, reach).await,
        SearchKind::Risk | SearchKind::Document => {
            evaluate(tx, organization, (kind, false), query, None, reach).await
        }
    }
}

/// The slugs of the documents that a query asks for. Those are few.
pub(crate) async fn find_documents(
    tx: &mut Tx,
    organization: OrgId,
    query: &SearchQuery,
) -> Result<Vec<String>> {
    let found = find(tx, organization, SearchKind::Document, query).await?;
    let numbers: Vec<i64> = found.numbers().collect();
    let known = stored(tx, organization, SearchKind::Document, &numbers).await?;
    Ok(known.into_values().filter_map(|it| it.id).collect())
}

/// The incidents that a query asks for, of those that the caller sees. Of restricted ones the words are looked up only among
/// those that the caller sees.
pub(crate) async fn find_incidents(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    query: &SearchQuery,
) -> Result<Found> {
    Ok(incidents(tx, organization, viewer, query, Reach::All).await?.0)
}

async fn incidents(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    query: &SearchQuery,
    reach: Reach,
) -> Result<Reached> {
    let (open, restricted) = ((SearchKind::Incident, false), (SearchKind::Incident, true));
    let own = match viewer.sees() {
        Sees::All => None,
        Sees::Unrestricted | Sees::Opened => Some(own_numbers(tx, organization, viewer).await?),
    };
    let own = own.map(Found::of_numbers);
    let among_open = own.as_ref().filter(|_| viewer.sees() == Sees::Opened);
    let (found, is_all) = evaluate(tx, organization, open, query, among_open, reach).await?;
    let (others, are_all) = evaluate(tx, organization, restricted, query, own.as_ref(), reach).await?;
    Ok((found.or(others), is_all && are_all))
}

/// The records of one part of the index; with `among` only those.
async fn evaluate(
    tx: &mut Tx,
    organization: OrgId,
    of: (SearchKind, bool),
    query: &SearchQuery,
    among: Option<&Found>,
    reach: Reach,
) -> Result<Reached> {
    if query.is_empty() || among.is_some_and(Found::is_empty) {
        return Ok((Found::default(), true));
    }
    let mut all = blocks(tx, organization, of).await?;
    let is_all = match reach {
        Reach::Latest(before) if !query.terms.is_empty() => {
            let (last, count) = (Block::place(before).0, all.len());
            let last = all.last().map_or(0, |block| last.min(*block));
            all.retain(|block| (last - LATEST + 1..=last).contains(block));
            all.len() == count
        }
        _ => true,
    };
    let mut found: Option<Found> = None;
    for term in &query.terms {
        let blocks = found.as_ref().map_or_else(|| all.clone(), Found::blocks);
        let next = of_term(tx, organization, of, &blocks, term).await?;
        let found = match &mut found {
            Some(found) => {
                found.and(&next);
                found
            }
            None => found.insert(next),
        };
        if let Some(among) = among {
            found.only(among);
        }
        if found.is_empty() {
            return Ok((Found::default(), is_all));
        }
    }
    let mut found = match found {
        Some(found) => found,
        None => everything(tx, organization, of, among).await?,
    };
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
    check_texts(tx, organization, of.0, query, &doubtful, &mut found).await?;
    Ok((found, is_all))
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
        let texts = stored(tx, organization, kind, numbers).await?;
        for number in numbers {
            let weight = texts.get(number).and_then(|it| query.weight_in(&it.texts));
            found.set(*number, weight);
        }
    }
    Ok(())
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
