//! The index of searches follows from the records, which are read again here. Records with entries that the index does not
//! have yet are left out, and an index that is being made again from the beginning.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashSet};
use std::hash::{Hash as _, Hasher as _};

use db::{Param, Tx};
use domain::OrgId;
use domain::search::{SearchKind, Weight};

use crate::error::Result;
use crate::journal::Checker;
use crate::search::{self, BLOCK, Indexed};

/// Rows that are read at a time.
const PAGE: i64 = 500;

/// The most entries that an index may lack to be compared with the records.
const MOST_BEHIND: i64 = 100_000;

/// Notes every record whose words are others than the index has, and words that are those of no record.
pub(super) async fn check(tx: &mut Tx, organization: OrgId, checker: &mut Checker) -> Result<()> {
    if search::is_being_removed(tx, organization).await? {
        return Ok(());
    }
    let mut expected = 0;
    let behind = behind(tx, organization).await?;
    for kind in SearchKind::ALL {
        if let Some(behind) = &behind {
            records(tx, organization, *kind, behind, checker).await?;
        }
        expected = u128::wrapping_add(expected, sum_of_records(tx, organization, *kind).await?);
    }
    if expected != sum_of_words(tx, organization).await? {
        let detail = "The words of the search are not those of its records; `bailiwick search rebuild` makes them again.";
        checker.fault(0, detail.to_owned());
    }
    Ok(())
}

/// The subjects of the entries that the index does not have yet; none if they are too many.
async fn behind(tx: &mut Tx, organization: OrgId) -> Result<Option<HashSet<String>>> {
    let seq = search::progress(tx, organization).await?;
    let sql =
        "SELECT subject_id FROM journal_entry WHERE organization = $1 AND seq > $2 ORDER BY seq LIMIT $3";
    let params: [&dyn Param; 3] = [&organization.uuid(), &seq, &(MOST_BEHIND + 1)];
    let rows: Vec<(String,)> = tx.query(sql, &params).await?;
    let is_near = i64::try_from(rows.len()).is_ok_and(|count| count <= MOST_BEHIND);
    Ok(is_near.then(|| rows.into_iter().map(|(id,)| id).collect()))
}

/// Compares the records of a kind with what the index has of them, both in the order of their numbers.
async fn records(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    behind: &HashSet<String>,
    checker: &mut Checker,
) -> Result<()> {
    let (mut after, mut is_more) = (0, true);
    while is_more {
        let live = search::numbers_after(tx, organization, kind, after, PAGE).await?;
        let stored = search::stored_after(tx, organization, kind, after, PAGE).await?;
        let is_full = |count: usize| i64::try_from(count).is_ok_and(|count| count == PAGE);
        // Where one of the two pages ends before the other, the next page goes on.
        let ends = [
            live.last().filter(|_| is_full(live.len())),
            stored.keys().last().filter(|_| is_full(stored.len())),
        ];
        let end = ends.into_iter().flatten().min().copied();
        let upto = |number: &i64| end.is_none_or(|end| *number <= end);
        let live: Vec<i64> = live.into_iter().filter(upto).collect();
        let now = search::texts(tx, organization, kind, &live).await?;
        let stored: BTreeMap<i64, Indexed> = stored.into_iter().filter(|(number, _)| upto(number)).collect();
        let numbers: std::collections::BTreeSet<i64> = now.keys().chain(stored.keys()).copied().collect();
        for number in numbers {
            let id = id(kind, number, stored.get(&number));
            if now.get(&number) != stored.get(&number) && !behind.contains(&id) {
                checker.fault(0, format!("The search has other words than the {} {id}.", kind.as_str()));
            }
        }
        (after, is_more) = (end.unwrap_or(after), end.is_some());
    }
    Ok(())
}

fn id(kind: SearchKind, number: i64, stored: Option<&Indexed>) -> String {
    match kind {
        SearchKind::Incident => domain::IncidentNumber(number).to_string(),
        SearchKind::Risk => domain::RiskNumber(number).to_string(),
        SearchKind::Document => stored.and_then(|it| it.id.clone()).unwrap_or_default(),
    }
}

/// A sum over every word of every record of a kind; the order does not matter.
async fn sum_of_records(tx: &mut Tx, organization: OrgId, kind: SearchKind) -> Result<u128> {
    let (mut sum, mut after) = (0, 0);
    loop {
        let page = search::stored_after(tx, organization, kind, after, PAGE).await?;
        let Some(last) = page.keys().last() else { return Ok(sum) };
        after = *last;
        for (number, it) in &page {
            for (word, weight) in it.texts.words() {
                sum = u128::wrapping_add(sum, hash(kind.as_str(), it.restricted, word, *number, weight));
            }
        }
    }
}

/// The same sum over the rows of words.
async fn sum_of_words(tx: &mut Tx, organization: OrgId) -> Result<u128> {
    let (mut sum, mut last) = (0, None);
    loop {
        let page = search::words_after(tx, organization, last.as_ref(), PAGE).await?;
        for row in page.iter().filter(|row| row.is_found(tx.engine())) {
            for (offset, weight) in row.block.records() {
                let number = row.number * BLOCK + offset;
                sum = u128::wrapping_add(sum, hash(&row.kind, row.restricted, &row.word, number, weight));
            }
        }
        last = page.into_iter().next_back();
        if last.is_none() {
            return Ok(sum);
        }
    }
}

fn hash(kind: &str, restricted: bool, word: &str, number: i64, weight: Weight) -> u128 {
    let mut hasher = DefaultHasher::new();
    (kind, restricted, word, number, weight).hash(&mut hasher);
    u128::from(hasher.finish())
}
