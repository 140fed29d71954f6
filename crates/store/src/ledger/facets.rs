//! Facets: how many records of a list have each value of a field.

use db::Tx;
use domain::{OrgId, TagId, UserId, Word};
use uuid::Uuid;

use crate::ledger::error::Result;
use crate::ledger::list::{Filter, TagCount};
use crate::ledger::members;

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

/// How many records have each value of a column.
pub(crate) type Counts<V> = Vec<(Option<V>, i64)>;

/// The most frequent ones first, and no more than a facet has; without those that no record has. Equal ones stay in their order.
pub(crate) fn most_frequent<T>(counts: &mut Vec<T>, count: impl Fn(&T) -> i64) {
    counts.retain(|it| count(it) > 0);
    counts.sort_by_key(|it| std::cmp::Reverse(count(it)));
    counts.truncate(usize::try_from(MOST_VALUES).unwrap_or(usize::MAX));
}

/// Words, in their order; what is NULL is the default word.
pub(crate) fn words<W: Word + Default>(mut counts: Counts<String>) -> Vec<FacetCount> {
    for (value, _) in &mut counts {
        value.get_or_insert_with(|| W::default().as_str().to_owned());
    }
    plain_words::<W>(counts)
}

/// Words that no record lacks, in their order.
pub(crate) fn plain_words<W: Word>(counts: Counts<String>) -> Vec<FacetCount> {
    let mut counts = texts(counts);
    counts.sort_by_key(|it| W::ALL.iter().position(|word| Some(word.as_str()) == it.value.as_deref()));
    counts
}

/// Texts, the most frequent first.
pub(crate) fn texts(counts: Counts<String>) -> Vec<FacetCount> {
    counts.into_iter().map(|(value, count)| FacetCount { value, label: None, count }).collect()
}

/// People by id, the most frequent first; none is nobody.
pub(crate) async fn people(
    tx: &mut Tx,
    organization: OrgId,
    counts: Counts<Uuid>,
) -> Result<Vec<FacetCount>> {
    let names = members::names(tx, organization, counts.iter().filter_map(|(id, _)| *id)).await?;
    let count = |(id, count): (Option<Uuid>, i64)| FacetCount {
        value: id.map(|id| UserId(id).to_string()),
        label: id.and_then(|id| names.get(&id).cloned()),
        count,
    };
    Ok(counts.into_iter().map(count).collect())
}

/// Tags by id, the most frequent first. A record with several counts for each.
pub(crate) fn tags(counts: Vec<TagCount>) -> Vec<FacetCount> {
    let count = |it: TagCount| FacetCount {
        value: Some(TagId(it.id).to_string()),
        label: Some(it.name),
        count: it.count,
    };
    counts.into_iter().map(count).collect()
}

/// The filters of a facet: all but those on its own column.
pub(crate) fn without<'q>(
    filters: impl Iterator<Item = Filter<'q>>,
    column: &'static str,
) -> impl Iterator<Item = Filter<'q>> {
    filters.filter(move |filter| !filter.is_on(column))
}
