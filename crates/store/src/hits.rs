//! A page of what a search finds, of every kind.

use std::collections::HashMap;

use db::{FromRow, Row, Tx, Value};
use domain::incident::Viewer;
use domain::search::{SearchKind, SearchQuery, Snippet, Weight};
use domain::{IncidentNumber, OrgId, RiskNumber};
use jiff::Timestamp;
use macros::boxed;
use serde::{Deserialize, Serialize};

use crate::documents::{self, DocumentFilter};
use crate::incidents::{self, IncidentFilter};
use crate::ledger::dialect::{among, among_parameter};
use crate::ledger::error::Result;
use crate::ledger::list::{Position, Text, seen};
use crate::ledger::page::Page;
use crate::ledger::search::with_terms;
use crate::ledger::search::{Found, FoundOrder, Ranked};
use crate::ledger::search::{Search, Seen};
use crate::ledger::view::View;
use crate::risks::{self, RiskFilter};

/// A record that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// What it is.
    pub kind: SearchKind,
    /// Its id, such as `INC-0042`.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its status.
    pub status: String,
    /// When it was last changed.
    pub updated_date: Timestamp,
    /// The text that has the worst of what was searched.
    pub weight: Weight,
    /// Where it was found; the beginning of its description if in the title alone. [`with_snippets`] makes it.
    pub snippet: Snippet,
    number: i64,
    description: String,
    /// Its parts that have what was searched.
    parts: Vec<String>,
}

/// Where a hit stands: the best first, then by kind, then the latest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HitPosition(u8, u8, i64);

impl Hit {
    /// Where it stands.
    pub fn position(&self) -> HitPosition {
        HitPosition(self.weight as u8, rank(self.kind), self.number)
    }

    /// The greatest first.
    fn order(&self) -> (Weight, std::cmp::Reverse<u8>, i64) {
        (self.weight, std::cmp::Reverse(rank(self.kind)), self.number)
    }
}

impl HitPosition {
    /// Where the records of a kind begin that stand after it.
    fn of_kind(self, kind: SearchKind) -> Position {
        let Self(weight, of, number) = self;
        let number = match rank(kind).cmp(&of) {
            std::cmp::Ordering::Less => i64::MIN,
            std::cmp::Ordering::Equal => number,
            std::cmp::Ordering::Greater => i64::MAX,
        };
        Position::of(Some(i64::from(weight).into()), number)
    }
}

fn rank(kind: SearchKind) -> u8 {
    (0..).zip(SearchKind::ALL).find(|(_, it)| **it == kind).map_or(0, |(rank, _)| rank)
}

/// Up to `limit` records of these kinds that a query asks for, of those that the caller sees. They have no snippets yet, but the
/// texts that these are made of.
#[boxed]
pub async fn hits(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    (kinds, query): (&[SearchKind], &SearchQuery),
    after: Option<HitPosition>,
    limit: i64,
) -> Result<Page<Hit>> {
    let mut all = Vec::new();
    for kind in kinds {
        let after = after.map(|after| after.of_kind(*kind));
        all.extend(of_kind(tx, organization, viewer, (*kind, query), after.as_ref(), limit).await?);
    }
    all.sort_by_key(|hit| std::cmp::Reverse(hit.order()));
    let mut page = Page::cut(all, limit);
    for kind in kinds {
        add_parts(tx, organization, *kind, query, &mut page.rows).await?;
    }
    Ok(page)
}

/// Up to `limit` records of a kind with what a query asks for in their titles or references, of those that the caller sees; without snippets.
#[boxed]
pub async fn titled(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    (kind, query): (SearchKind, &SearchQuery),
    limit: i64,
) -> Result<Vec<Hit>> {
    let mut hits = of_kind(tx, organization, viewer, (kind, query), None, limit).await?;
    // The best come first, and no text is better than a title.
    hits.retain(|hit| hit.weight == Weight::Title);
    Ok(Page::cut(hits, limit).rows)
}

/// How many records of these kinds a query asks for, of those that the caller sees.
#[boxed]
pub async fn count(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    (kinds, query): (&[SearchKind], &SearchQuery),
) -> Result<i64> {
    let (q, mut sum) = (Some(query.clone()), 0);
    for kind in kinds {
        sum += match kind {
            SearchKind::Incident => {
                let filter = IncidentFilter { q: q.clone(), ..IncidentFilter::default() };
                incidents::count(tx, organization, viewer, View::now(), &filter).await?
            }
            SearchKind::Risk => {
                let filter = RiskFilter { q: q.clone(), ..RiskFilter::default() };
                risks::count(tx, organization, View::now(), &filter).await?
            }
            SearchKind::Document => {
                let filter = DocumentFilter { q: q.clone(), ..DocumentFilter::default() };
                documents::count(tx, organization, &filter).await?
            }
        };
    }
    Ok(sum)
}

/// The best records of a kind: at least one more than `limit`, if there are as many.
async fn of_kind(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    (kind, query): (SearchKind, &SearchQuery),
    after: Option<&Position>,
    limit: i64,
) -> Result<Vec<Hit>> {
    let search = search(tx, organization, viewer, kind, query).await?;
    let (found, is_all) = search.latest(tx, FoundOrder::Best.latest(after)).await?;
    let mut page = best(tx, organization, viewer, kind, &found, after, limit).await?;
    if !is_all && !page.is_final(FoundOrder::Best) {
        let found = search.all(tx).await?;
        page = best(tx, organization, viewer, kind, &found, after, limit).await?;
    }
    let (rows, ranks) = page.rows();
    let hits = rows.into_iter().map(|hit| Hit { weight: ranks.weight(hit.number), ..hit });
    Ok(hits.collect())
}

/// A search of this caller through the records of a kind.
pub(crate) async fn search<'q>(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    kind: SearchKind,
    query: &'q SearchQuery,
) -> Result<Search<'q>> {
    let seen = match kind {
        SearchKind::Incident => incidents::searched(tx, organization, viewer).await?,
        SearchKind::Risk | SearchKind::Document => Seen::default(),
    };
    Search::of(tx, organization, kind, query, seen).await
}

/// The best of what was found: at least one more than `limit`, if there are as many.
async fn best(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    kind: SearchKind,
    found: &Found,
    after: Option<&Position>,
    limit: i64,
) -> Result<Ranked<Hit>> {
    let mut page = Ranked::new(limit);
    for portion in found.portions(FoundOrder::Best, after, limit) {
        let rows = read(tx, organization, viewer, kind, &portion).await?;
        if page.add(portion, rows, |hit| hit.number) {
            break;
        }
    }
    Ok(page)
}

/// Those of these records that are there and that the caller sees.
async fn read(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    kind: SearchKind,
    portion: &[(Weight, i64)],
) -> Result<Vec<Hit>> {
    let (engine, mut text) = (tx.engine(), Text::of(organization));
    let numbers =
        text.add(Value::Text(among_parameter(engine, portion.iter().map(|(_, number)| *number)).into()));
    let columns = "r.title, r.description, r.status, r.updated_date";
    let sql = match kind {
        SearchKind::Incident => format!(
            "SELECT r.number, {columns}, CAST(NULL AS TEXT) FROM incident AS r
             WHERE r.organization = $1 AND {} AND r.deleted_date IS NULL AND {}",
            among(engine, "r.number", &numbers),
            seen("r", viewer, &mut text)
        ),
        SearchKind::Risk => format!(
            "SELECT r.number, {columns}, CAST(NULL AS TEXT) FROM risk AS r
             WHERE r.organization = $1 AND {} AND r.deleted_date IS NULL",
            among(engine, "r.number", &numbers)
        ),
        SearchKind::Document => format!(
            "SELECT known.number, {columns}, r.slug FROM search_record AS known
             JOIN document AS r ON r.organization = known.organization AND r.slug = known.id
             WHERE known.organization = $1 AND known.noun = 'document' AND {}",
            among(engine, "known.number", &numbers)
        ),
    };
    let rows: Vec<RecordRow> = tx.query(&sql, &text.params()).await?;
    Ok(rows.into_iter().map(|row| row.hit(kind)).collect())
}

struct RecordRow {
    number: i64,
    title: String,
    description: String,
    status: String,
    updated_date: Timestamp,
    slug: Option<String>,
}

impl FromRow for RecordRow {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        Ok(Self {
            number: row.get(0)?,
            title: row.get(1)?,
            description: row.get(2)?,
            status: row.get(3)?,
            updated_date: row.get(4)?,
            slug: row.get(5)?,
        })
    }
}

impl RecordRow {
    fn hit(self, kind: SearchKind) -> Hit {
        let Self { number, title, description, status, updated_date, slug } = self;
        let id = match kind {
            SearchKind::Incident => IncidentNumber(number).to_string(),
            SearchKind::Risk => RiskNumber(number).to_string(),
            SearchKind::Document => slug.unwrap_or_default(),
        };
        let (weight, snippet) = (Weight::Rest, Snippet::default());
        let parts = Vec::new();
        Hit { kind, id, title, status, updated_date, weight, snippet, number, description, parts }
    }
}

/// Adds the parts of the hits of a kind that have a term of the query, which snippets are made of.
async fn add_parts(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    query: &SearchQuery,
    hits: &mut [Hit],
) -> Result<()> {
    let of_kind = hits.iter().filter(|hit| hit.kind == kind);
    let numbers: Vec<i64> = of_kind.map(|hit| hit.number).collect();
    if numbers.is_empty() {
        return Ok(());
    }
    let mut parts: HashMap<i64, Vec<String>> = HashMap::new();
    for (number, text) in with_terms(tx, organization, kind, query, &numbers).await? {
        parts.entry(number).or_default().push(text);
    }
    for hit in hits.iter_mut().filter(|hit| hit.kind == kind) {
        hit.parts = parts.remove(&hit.number).unwrap_or_default();
    }
    Ok(())
}

/// Adds the pieces of text that show why the hits were found: from the text with the most terms of the query. It takes time to
/// look through long texts, and no connection: a caller with others to serve does it beside them.
pub fn with_snippets(mut page: Page<Hit>, query: &SearchQuery) -> Page<Hit> {
    for hit in &mut page.rows {
        let parts = std::mem::take(&mut hit.parts);
        // Of several that are equal the last is the maximum.
        let texts = parts.iter().rev().chain([&hit.description]);
        let best = texts.max_by_key(|text| query.count_in(text));
        let best = best.and_then(|text| Snippet::of(text, query));
        hit.snippet = best.unwrap_or_else(|| Snippet::beginning(&hit.description, query));
    }
    page
}
