//! What somebody may have meant whose search found nothing.

use std::collections::{BTreeMap, BTreeSet};

use db::Tx;
use domain::OrgId;
use domain::incident::Viewer;
use domain::search::{SearchKind, SearchQuery, Term, corrected, one_letter_away};
use macros::boxed;

use crate::documents::{self, DocumentFilter};
use crate::hits::{self, search};
use crate::incidents::{self, IncidentFilter};
use crate::ledger::error::Result;
use crate::ledger::view::View;
use crate::risks::{self, RiskFilter};

/// How many words of a query are looked at.
const WORDS: usize = 3;

/// How many of the words that the caller's records have are tried for one.
const TRIED: usize = 3;

/// Where a search found nothing.
#[derive(Debug, Clone, Copy)]
pub enum Within<'w> {
    /// The records of these kinds.
    Kinds(&'w [SearchKind]),
    /// A list of incidents, with its other filters.
    Incidents(&'w IncidentFilter),
    /// A list of risks.
    Risks(&'w RiskFilter),
    /// A list of documents.
    Documents(&'w DocumentFilter),
}

/// The text of a search that found nothing, with words that are one letter away and found something where it searched, among what
/// the caller sees; none if there is no such text. `read` is how the text is read.
#[boxed]
pub async fn did_you_mean(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    within: Within<'_>,
    text: &str,
    read: fn(&str) -> SearchQuery,
) -> Result<Option<String>> {
    let (query, mut corrections) = (read(text), text.to_owned());
    let words: BTreeSet<String> = query.terms.into_iter().flat_map(|term| term.words).collect();
    for word in words.into_iter().take(WORDS) {
        if within.count(tx, organization, viewer, only(&word)).await? == 0
            && let Some(meant) = meant(tx, organization, viewer, within, &word).await?
            && let Some(corrected) = corrected(&corrections, &word, &meant)
        {
            corrections = corrected;
        }
    }
    let finds = corrections != text && within.count(tx, organization, viewer, read(&corrections)).await? > 0;
    Ok(finds.then_some(corrections))
}

/// The word one letter away that most of the latest records have of those that the caller sees, if it finds something there.
async fn meant(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    within: Within<'_>,
    word: &str,
) -> Result<Option<String>> {
    let (away, all) = (one_letter_away(word), SearchQuery::everything());
    let mut known: BTreeMap<String, i64> = BTreeMap::new();
    for kind in within.kinds() {
        let search = search(tx, organization, viewer, *kind, &all).await?;
        for (word, count) in search.known(tx, &away).await? {
            *known.entry(word).or_default() += count;
        }
    }
    let mut known: Vec<(i64, String)> = known.into_iter().map(|(word, count)| (-count, word)).collect();
    known.sort_unstable();
    for (_, meant) in known.into_iter().take(TRIED) {
        if within.count(tx, organization, viewer, only(&meant)).await? > 0 {
            return Ok(Some(meant));
        }
    }
    Ok(None)
}

/// A search for a word.
fn only(word: &str) -> SearchQuery {
    let term = Term { words: vec![word.to_owned()], is_prefix: false };
    SearchQuery { terms: vec![term], ..SearchQuery::default() }
}

impl Within<'_> {
    fn kinds(&self) -> &[SearchKind] {
        match self {
            Self::Kinds(kinds) => kinds,
            Self::Incidents(_) => &[SearchKind::Incident],
            Self::Risks(_) => &[SearchKind::Risk],
            Self::Documents(_) => &[SearchKind::Document],
        }
    }

    /// How many records a search finds there, of those that the caller sees.
    async fn count(
        self,
        tx: &mut Tx,
        organization: OrgId,
        viewer: &Viewer,
        query: SearchQuery,
    ) -> Result<i64> {
        let now = View::now();
        match self {
            Self::Kinds(kinds) => hits::count(tx, organization, viewer, (kinds, &query)).await,
            Self::Incidents(filter) => {
                let filter = IncidentFilter { q: Some(query), ..filter.clone() };
                incidents::count(tx, organization, viewer, now, &filter).await
            }
            Self::Risks(filter) => {
                let filter = RiskFilter { q: Some(query), ..filter.clone() };
                risks::count(tx, organization, now, &filter).await
            }
            Self::Documents(filter) => {
                let filter = DocumentFilter { q: Some(query), ..filter.clone() };
                documents::count(tx, organization, &filter).await
            }
        }
    }
}
