//! Verification: the chain is walked, and what the database has is held against what the journal tells. Records are read
//! in pages, so memory does not grow with the register.

use std::collections::HashMap;

use db::{Param, Tx};
use domain::OrgId;
use macros::boxed;

use super::recorded::Recorded;
use super::story::Story;
use super::{compare, search};
use crate::ledger::error::Result;
use crate::ledger::journal::{Checker, Entry, Expected, Report, list_of_numbers, numbers_of_subjects};
use crate::ledger::records::page::Cursor;
use crate::ledger::records::{RecordKind, Registry};

/// Entries of the chain, or subjects of entries, that are read at a time.
const PAGE: i64 = 1_000;

/// Entries about some records that are read at a time.
const ENTRIES: usize = 1_000;

/// How far a verification has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The entry up to which the chain was walked, and the last one.
    Entries(i64, i64),
    /// How many records were compared so far.
    Records(i64),
}

/// Walks the chain of `organization`, compares it with its head and every record with its entries, and tells after each page
/// how far it has come.
pub(crate) async fn verify(
    tx: &mut Tx,
    organization: OrgId,
    registry: &Registry,
    expected: Option<Expected>,
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<Report> {
    let mut checker = Checker::new(expected);
    walk(tx, organization, &mut checker, i64::MAX, progress).await?;
    for kind in registry.in_chain_of(organization) {
        let (mut after, mut staying) = (Cursor::new(), 0);
        loop {
            let page = kind.page(tx, organization, after).await?;
            staying += compare_page(tx, organization, kind, &mut checker, page.records).await?;
            progress(Progress::Records(checker.records()));
            match page.next {
                Some(next) => after = next,
                None => break,
            }
        }
        look_for_missing(tx, organization, kind, staying, &mut checker).await?;
    }
    if organization != OrgId::INSTANCE {
        for check in registry.checks {
            check(tx, organization, &mut checker).await?;
        }
        search::check(tx, organization, &mut checker).await?;
    }
    Ok(checker.finish())
}

/// Checks up to `most` entries of the chain that follow the entry `after`, which was checked before. No record is compared.
#[boxed]
pub async fn verify_part(tx: &mut Tx, organization: OrgId, after: i64, most: i64) -> Result<Report> {
    let before = crate::ledger::journal::list(tx, organization, after - 1, 1).await?;
    let mut checker = match before.first().filter(|entry| entry.seq == after) {
        Some(entry) => Checker::after(entry),
        None if after == 0 => Checker::new(None),
        None => {
            let mut checker = Checker::new(None);
            checker.fault(after, format!("Entry {after} is not there."));
            return Ok(checker.finish());
        }
    };
    let last = checker.position().0.saturating_add(most);
    walk(tx, organization, &mut checker, last, &mut |_| ()).await?;
    Ok(checker.finish())
}

/// Checks that the chain ends at its head.
fn compare_head(checker: &mut Checker, head: &db::Head) {
    if (head.seq, head.hash.as_slice()) != checker.position() {
        let detail = format!("The organization's head says entry {}.", head.seq);
        checker.fault(checker.position().0, detail);
    }
}

/// Checks the entries up to `last`, and that the head is the last one unless others follow.
async fn walk(
    tx: &mut Tx,
    organization: OrgId,
    checker: &mut Checker,
    last: i64,
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<()> {
    let head = crate::ledger::journal::head(tx, organization).await?;
    while checker.position().0 < last {
        let before = checker.position().0;
        let page = crate::ledger::journal::list(tx, organization, before, PAGE.min(last - before)).await?;
        page.iter().for_each(|entry| checker.check(entry));
        if checker.position().0 <= before {
            break;
        }
        progress(Progress::Entries(checker.position().0, head.seq));
    }
    let (walked, is_cut) = (checker.position().0, checker.position().0 >= last);
    if is_cut && walked < head.seq {
        return Ok(());
    }
    compare_head(checker, &head);
    // Whatever stands behind the head was not walked if the part ends with it.
    let beyond =
        if is_cut { crate::ledger::journal::list(tx, organization, walked, 1).await? } else { Vec::new() };
    if let Some(entry) = beyond.first() {
        checker.fault(entry.seq, "It follows the organization's head.".to_owned());
    }
    Ok(())
}

/// Compares some records of one kind with their entries; how many of them must be there by their latest entry.
async fn compare_page(
    tx: &mut Tx,
    organization: OrgId,
    kind: &RecordKind,
    checker: &mut Checker,
    records: Vec<Recorded>,
) -> Result<i64> {
    let ids: Vec<_> = records.iter().map(|record| record.subject.id.as_str()).collect();
    let mut stories = stories(tx, organization, kind, &ids).await?;
    let mut staying = 0;
    for record in records {
        checker.count_record();
        let story = stories.remove(&record.subject.id);
        compare::record(checker, story.as_ref(), &record);
        let last = story.as_ref().and_then(Story::last);
        staying += i64::from(last.is_some_and(|last| kind.stays(&last.kind, last.payload(), tx.at())));
    }
    Ok(staying)
}

/// The entries of some records, by id.
async fn stories(
    tx: &mut Tx,
    organization: OrgId,
    kind: &RecordKind,
    ids: &[&str],
) -> Result<HashMap<String, Story>> {
    let mut entries: HashMap<String, Vec<Entry>> = HashMap::new();
    let numbers = numbers_of_subjects(tx, organization, kind.name, ids).await?;
    let now = tx.at();
    for numbers in numbers.chunks(ENTRIES) {
        for entry in list_of_numbers(tx, organization, numbers).await? {
            if kind.is_changed_by(&entry.kind) {
                let told = entries.entry(entry.subject_id.clone()).or_default();
                let stays = |last: &Entry| kind.stays(&last.kind, last.payload.as_deref(), now);
                // What is made with the id of a record that went is another record.
                if entry.kind.ends_with(".created") && !told.last().is_none_or(stays) {
                    told.clear();
                }
                told.push(entry);
            }
        }
    }
    Ok(entries.into_iter().map(|(id, entries)| (id, Story::of(entries))).collect())
}

/// Records that the journal tells of, that must be there and are not: if more must be there than `found`.
async fn look_for_missing(
    tx: &mut Tx,
    organization: OrgId,
    kind: &RecordKind,
    found: i64,
    checker: &mut Checker,
) -> Result<()> {
    if count_staying(tx, organization, kind, None).await? == found {
        return Ok(());
    }
    count_staying(tx, organization, kind, Some(checker)).await?;
    Ok(())
}

/// How many records of a kind must be there; with a checker, each that is not there is noted.
async fn count_staying(
    tx: &mut Tx,
    organization: OrgId,
    kind: &RecordKind,
    mut checker: Option<&mut Checker>,
) -> Result<i64> {
    let (name, mut after, mut count) = (kind.name, String::new(), 0);
    loop {
        let sql = "SELECT latest.subject_id, entry.seq, entry.kind, entry.payload FROM (
                SELECT subject_id, MAX(seq) AS seq FROM journal_entry
                WHERE organization = $1 AND subject_kind = $2 AND subject_id > $3
                GROUP BY subject_id ORDER BY subject_id LIMIT $4
            ) AS latest
            JOIN journal_entry AS entry ON entry.organization = $1 AND entry.seq = latest.seq
            ORDER BY latest.subject_id";
        let params: [&dyn Param; 4] = [&organization.uuid(), &name, &after, &PAGE];
        let page: Vec<(String, i64, String, Option<String>)> = tx.query(sql, &params).await?;
        let is_full = is_full(&page);
        for (id, seq, told, payload) in page {
            if kind.stays(&told, payload.as_deref(), tx.at()) {
                count += 1;
                if let Some(checker) = &mut checker
                    && !kind.is_there(tx, organization, &id).await?
                {
                    checker
                        .fault(seq, format!("The {name} {id} is not there, and no entry says that it went."));
                }
            }
            after = id;
        }
        if !is_full {
            return Ok(count);
        }
    }
}

fn is_full<T>(page: &[T]) -> bool {
    i64::try_from(page.len()).is_ok_and(|count| count >= PAGE)
}
