//! The index of searches follows from the records, which are read again here. Records with entries that the index does not
//! have yet are left out, and an index that is being made again from the beginning.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{Hash as _, Hasher as _};

use db::{Param, Row, Tx};
use domain::OrgId;
use domain::search::{SearchKind, Weight};

use crate::ledger::dialect::{among, among_parameter};
use crate::ledger::error::Result;
use crate::ledger::journal::Checker;
use crate::ledger::search::{self, BLOCK, DOCUMENT_OF_ENTRY, Indexed, OWN, Unit};

/// Rows that are read at a time.
const PAGE: i64 = 500;

/// Parts whose texts are read at a time.
const PARTS: usize = 64;

/// The most entries that an index may lack to be compared with the records.
const MOST_BEHIND: i64 = 100_000;

/// Notes every record whose words are others than the index has, and words that are those of no record.
pub(super) async fn check(tx: &mut Tx, organization: OrgId, checker: &mut Checker) -> Result<()> {
    // What is being made, or is due, is not compared.
    if search::is_unsettled(tx, organization).await? {
        return Ok(());
    }
    let (mut expected, mut is_counted) = (0, true);
    let behind = behind(tx, organization).await?;
    for kind in SearchKind::ALL {
        if let Some(behind) = &behind {
            records(tx, organization, *kind, behind, checker).await?;
        }
        let sums = sums_of_records(tx, organization, *kind).await?;
        expected = u128::wrapping_add(expected, sums.words);
        is_counted &= sums.parts == sums.counts;
    }
    if expected != sum_of_words(tx, organization).await? || !is_counted {
        let detail = "The words of the search are not those of its records; `bailiwick search rebuild` makes them again.";
        checker.fault(0, detail.to_owned());
    }
    Ok(())
}

/// The subjects of the entries that the index does not have yet, of those about proposals the documents; none if they are too many.
async fn behind(tx: &mut Tx, organization: OrgId) -> Result<Option<HashSet<String>>> {
    let seq = search::progress(tx, organization).await?;
    let sql = format!(
        "SELECT COALESCE({DOCUMENT_OF_ENTRY}, e.subject_id) FROM journal_entry AS e
         WHERE e.organization = $1 AND e.seq > $2 ORDER BY e.seq LIMIT $3"
    );
    let params: [&dyn Param; 3] = [&organization.uuid(), &seq, &(MOST_BEHIND + 1)];
    let rows: Vec<(String,)> = tx.query(&sql, &params).await?;
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
        let stored = search::own_after(tx, organization, kind, after, PAGE).await?;
        let is_full = |count: usize| i64::try_from(count).is_ok_and(|count| count == PAGE);
        // Where one of the two pages ends before the other, the next page goes on.
        let ends = [
            live.last().filter(|_| is_full(live.len())),
            stored.keys().last().filter(|_| is_full(stored.len())),
        ];
        let end = ends.into_iter().flatten().min().copied();
        let upto = |number: &i64| end.is_none_or(|end| *number <= end);
        let live: Vec<i64> = live.into_iter().filter(upto).collect();
        let now = search::own(tx, organization, kind, &live).await?;
        let stored: BTreeMap<i64, Indexed> = stored.into_iter().filter(|(number, _)| upto(number)).collect();
        let mut wrong = BTreeSet::new();
        let numbers: BTreeSet<i64> = now.keys().chain(stored.keys()).copied().collect();
        wrong.extend(numbers.iter().filter(|number| now.get(number) != stored.get(number)));
        let numbers: Vec<i64> = numbers.into_iter().collect();
        wrong.extend(wrong_parts(tx, organization, kind, &numbers).await?);
        for number in wrong {
            let id = id(kind, number, stored.get(&number));
            if !behind.contains(&id) {
                checker.fault(0, format!("The search has other words than the {} {id}.", kind.as_str()));
            }
        }
        (after, is_more) = (end.unwrap_or(after), end.is_some());
    }
    Ok(())
}

/// Those of these records that have a part of which the index has other words.
async fn wrong_parts(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    numbers: &[i64],
) -> Result<BTreeSet<i64>> {
    let mut units = search::stored_parts(tx, organization, kind, numbers).await?;
    units.extend(search::present_parts(tx, organization, kind, numbers).await?);
    let units: Vec<Unit> = units.into_iter().collect();
    let mut wrong = BTreeSet::new();
    for units in units.chunks(PARTS) {
        let units: BTreeSet<Unit> = units.iter().copied().collect();
        let now = search::parts(tx, organization, kind, &units).await?;
        let stored = search::stored_texts(tx, organization, kind, &units).await?;
        let is_wrong = |unit: &&Unit| now.get(unit) != stored.get(unit);
        wrong.extend(units.iter().filter(is_wrong).map(|unit| unit.number));
    }
    Ok(wrong)
}

fn id(kind: SearchKind, number: i64, stored: Option<&Indexed>) -> String {
    match kind {
        SearchKind::Incident => domain::IncidentNumber(number).to_string(),
        SearchKind::Risk => domain::RiskNumber(number).to_string(),
        SearchKind::Document => stored.and_then(|it| it.id.clone()).unwrap_or_default(),
    }
}

/// Sums over words; the order does not matter.
#[derive(Default)]
struct Sums {
    /// Over every word of every record of a kind.
    words: u128,
    /// Over every word of every part.
    parts: u128,
    /// The same by the counts of the parts that have a word.
    counts: u128,
}

async fn sums_of_records(tx: &mut Tx, organization: OrgId, kind: SearchKind) -> Result<Sums> {
    let (mut sums, mut after) = (Sums::default(), OWN);
    loop {
        let page = search::own_after(tx, organization, kind, after, PAGE).await?;
        let Some(last) = page.keys().last() else { return Ok(sums) };
        after = *last;
        for (number, it) in &page {
            for (word, weight) in it.texts.words() {
                let hash = hash(kind.as_str(), it.restricted, word, *number, weight);
                sums.words = sums.words.wrapping_add(hash);
            }
        }
        sum_of_parts(tx, organization, kind, &page, &mut sums).await?;
    }
}

/// Adds the parts of these records.
async fn sum_of_parts(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    own: &BTreeMap<i64, Indexed>,
    sums: &mut Sums,
) -> Result<()> {
    let engine = tx.engine();
    let own: BTreeMap<i64, (bool, BTreeMap<&str, Weight>)> =
        own.iter().map(|(number, it)| (*number, (it.restricted, it.texts.words()))).collect();
    let numbers = among_parameter(engine, own.keys().copied());
    let params: [&dyn Param; 3] = [&organization.uuid(), &numbers, &kind.as_str()];
    let of_records = |columns: &str, table: &str| {
        format!(
            "SELECT r.number, r.restricted, {columns} FROM {table} AS r
             WHERE r.organization = $1 AND r.noun = $3 AND {}",
            among(engine, "r.number", "$2")
        )
    };
    let part = |row: &Row<'_>| {
        let (number, restricted, texts): (i64, bool, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        for word in domain::search::Texts::parse(&texts).unwrap_or_default().words().into_keys() {
            let hash = hash(kind.as_str(), restricted, word, number, Weight::Rest);
            sums.parts = sums.parts.wrapping_add(hash);
        }
        Ok(())
    };
    tx.each(&of_records("r.texts", "search_part"), &params, part).await?;
    let word = |row: &Row<'_>| {
        let (number, restricted, word): (i64, bool, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let hash = hash(kind.as_str(), restricted, &word, number, Weight::Rest);
        let count = u128::try_from(row.get::<i64>(3)?).unwrap_or_default();
        sums.counts = sums.counts.wrapping_add(hash.wrapping_mul(count));
        let is_own = |(half, words): &(bool, BTreeMap<&str, Weight>)| {
            *half == restricted && words.contains_key(word.as_str())
        };
        if !own.get(&number).is_some_and(is_own) {
            sums.words = sums.words.wrapping_add(hash);
        }
        Ok(())
    };
    Ok(tx.each(&of_records("r.word, r.parts", "search_part_word"), &params, word).await?)
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
