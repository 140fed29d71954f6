//! Finding the records that a query asks for.

use db::{Param, Tx};
use domain::OrgId;
use domain::incident::{Sees, Viewer};
use domain::search::{SearchKind, SearchQuery};

use super::found::Found;
use super::index::stored;
use super::words::{blocks, of_term};
use crate::error::Result;
use crate::incidents;

/// Records whose texts are read at a time, where their order of words matters.
const TEXTS: usize = 1_000;

/// The risks or documents that a query asks for.
pub(crate) async fn find(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    query: &SearchQuery,
) -> Result<Found> {
    evaluate(tx, organization, (kind, false), query, None).await
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
    let (open, restricted) = ((SearchKind::Incident, false), (SearchKind::Incident, true));
    let own = match viewer.sees() {
        Sees::All => None,
        Sees::Unrestricted | Sees::Opened => Some(incidents::own_numbers(tx, organization, viewer).await?),
    };
    let own = own.map(Found::of_numbers);
    let among_open = own.as_ref().filter(|_| viewer.sees() == Sees::Opened);
    let found = evaluate(tx, organization, open, query, among_open).await?;
    Ok(found.or(evaluate(tx, organization, restricted, query, own.as_ref()).await?))
}

/// The records of one part of the index; with `among` only those.
async fn evaluate(
    tx: &mut Tx,
    organization: OrgId,
    of: (SearchKind, bool),
    query: &SearchQuery,
    among: Option<&Found>,
) -> Result<Found> {
    if query.is_empty() || among.is_some_and(Found::is_empty) {
        return Ok(Found::default());
    }
    let all = blocks(tx, organization, of).await?;
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
            return Ok(Found::default());
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
    Ok(found)
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
