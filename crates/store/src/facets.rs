//! Facets: how many records of a list have each value of a field.

use db::{FromRow, Tx};
use domain::{OrgId, TagId, UserId, Word};
use uuid::Uuid;

use crate::error::Result;
use crate::list::{Filter, Select};
use crate::people;
use crate::record::Record;
use crate::tags::TagLinks;

/// The most values of a facet: the most frequent ones.
pub const MOST_VALUES: i64 = 200;

/// How many records have a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FacetCount {
    /// The value as the filter takes it; none for records without one.
    pub value: Option<String>,
    /// What people call it, if that is something else: the name of a person or of a tag.
    pub label: Option<String>,
    /// How many records have it.
    pub count: i64,
}

/// The number of records of a list, and of each facet how many have each value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facets {
    /// The number of records with all filters.
    pub total: i64,
    /// Each facet by its name: the counts without its own filter.
    pub facets: Vec<(&'static str, Vec<FacetCount>)>,
}

/// Counts of words, in their order; what is NULL is the default word.
pub(crate) async fn words<W: Word + Default, R: Record>(
    tx: &mut Tx,
    select: Select<'_, R>,
    column: &'static str,
) -> Result<Vec<FacetCount>> {
    let counts = named(tx, select, column, W::default().as_str()).await?;
    Ok(in_order::<W>(counts))
}

/// Counts of words that no record lacks, in their order.
pub(crate) async fn plain_words<W: Word, R: Record>(
    tx: &mut Tx,
    select: Select<'_, R>,
    column: &'static str,
) -> Result<Vec<FacetCount>> {
    Ok(in_order::<W>(texts(tx, select, column).await?))
}

/// Counts of texts, the most frequent first.
pub(crate) async fn texts<R: Record>(
    tx: &mut Tx,
    select: Select<'_, R>,
    column: &'static str,
) -> Result<Vec<FacetCount>> {
    let counts: Vec<(Option<String>, i64)> = select.counts(tx, column, MOST_VALUES).await?;
    Ok(counts.into_iter().map(|(value, count)| FacetCount { value, label: None, count }).collect())
}

async fn named<R: Record>(
    tx: &mut Tx,
    select: Select<'_, R>,
    column: &'static str,
    default: &str,
) -> Result<Vec<FacetCount>> {
    let mut counts = texts(tx, select, column).await?;
    for it in &mut counts {
        it.value.get_or_insert_with(|| default.to_owned());
    }
    Ok(counts)
}

fn in_order<W: Word>(mut counts: Vec<FacetCount>) -> Vec<FacetCount> {
    counts.sort_by_key(|it| W::ALL.iter().position(|word| Some(word.as_str()) == it.value.as_deref()));
    counts
}

/// Counts of people by id, the most frequent first; none is nobody.
pub(crate) async fn people<R: Record>(
    tx: &mut Tx,
    organization: OrgId,
    select: Select<'_, R>,
    column: &'static str,
) -> Result<Vec<FacetCount>> {
    let counts: Vec<(Option<Uuid>, i64)> = select.counts(tx, column, MOST_VALUES).await?;
    let names = people::names(tx, organization, counts.iter().filter_map(|(id, _)| *id)).await?;
    let count = |(id, count): (Option<Uuid>, i64)| FacetCount {
        value: id.map(|id| UserId(id).to_string()),
        label: id.and_then(|id| names.get(&id).cloned()),
        count,
    };
    Ok(counts.into_iter().map(count).collect())
}

/// Counts of tags by id, the most frequent first. A record with several counts for each.
pub(crate) async fn tags<R: Record>(
    tx: &mut Tx,
    select: Select<'_, R>,
    links: &TagLinks,
) -> Result<Vec<FacetCount>> {
    let counts: Vec<TagCount> = select.tag_counts(tx, links.link, MOST_VALUES).await?;
    let count = |TagCount(id, name, count)| FacetCount {
        value: Some(TagId(id).to_string()),
        label: Some(name),
        count,
    };
    Ok(counts.into_iter().map(count).collect())
}

struct TagCount(Uuid, String, i64);

impl FromRow for TagCount {
    fn from_row(row: &db::Row<'_>) -> db::Result<Self> {
        Ok(Self(row.get(0)?, row.get(1)?, row.get(2)?))
    }
}

/// The filters of a facet: all but those on its own column.
pub(crate) fn without<'q>(
    filters: impl Iterator<Item = Filter<'q>>,
    column: &'static str,
) -> impl Iterator<Item = Filter<'q>> {
    filters.filter(move |filter| !filter.is_on(column))
}
