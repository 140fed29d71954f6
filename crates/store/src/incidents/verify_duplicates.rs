//! A duplicate has an original: an incident that is there or was purged, and from which no way leads back to it.

use std::collections::{HashMap, HashSet};

use db::{Param, Tx};
use domain::incident::Incident;
use domain::{IncidentNumber, OrgId};

use super::originals;
use crate::ledger::error::Result;
use crate::ledger::journal::{Checker, latest_of_subjects, list_of_numbers};
use crate::ledger::trash::Deletable as _;

/// Duplicates that are read at a time.
const PAGE: i64 = 1_000;

/// The duplicates after a number, deleted ones too, each with its original and the entry of its latest change.
const DUPLICATES: &str = "SELECT number, duplicate_of, seq_from FROM incident
    WHERE organization = $1 AND number > $2 AND duplicate_of IS NOT NULL ORDER BY number LIMIT $3";

/// Notes every duplicate that leads nowhere or in a circle.
pub(crate) async fn check(tx: &mut Tx, organization: OrgId, checker: &mut Checker) -> Result<()> {
    let mut after = 0;
    loop {
        let params: [&dyn Param; 3] = [&organization.uuid(), &after, &PAGE];
        let page: Vec<(i64, i64, i64)> = tx.query(DUPLICATES, &params).await?;
        let Some((last, ..)) = page.last() else { return Ok(()) };
        after = *last;
        let originals = originals::chains(tx, organization, page.iter().map(|(number, ..)| *number)).await?;
        let purged = purged(tx, organization, &page, &originals).await?;
        let mut ways = Ways::new(&originals);
        for (number, original, seq) in page {
            let (number, original) = (IncidentNumber(number), IncidentNumber(original));
            if ways.lead_in_a_circle(number.number()) {
                checker
                    .fault(seq, format!("The incident {number} is a duplicate in a circle of duplicates."));
            } else if !originals.contains_key(&original.number()) && !purged.contains(&original.to_string()) {
                let what = format!("The incident {number} is a duplicate of {original}");
                checker.fault(seq, format!("{what}, which is not there and was not purged."));
            }
        }
    }
}

/// Those of the originals that are not there of which an entry says that they were purged.
async fn purged(
    tx: &mut Tx,
    organization: OrgId,
    page: &[(i64, i64, i64)],
    there: &HashMap<i64, Option<i64>>,
) -> Result<HashSet<String>> {
    let absent = page.iter().filter(|(_, original, _)| !there.contains_key(original));
    let absent: HashSet<String> =
        absent.map(|(_, original, _)| IncidentNumber(*original).to_string()).collect();
    if absent.is_empty() {
        return Ok(absent);
    }
    let absent: Vec<&str> = absent.iter().map(String::as_str).collect();
    let latest = latest_of_subjects(tx, organization, "incident", &absent).await?;
    let entries = list_of_numbers(tx, organization, &latest.into_values().collect::<Vec<_>>()).await?;
    let purged = entries.into_iter().filter(|entry| entry.kind == Incident::ENTRIES.purged);
    Ok(purged.map(|entry| entry.subject_id).collect())
}

/// Where duplicates lead.
struct Ways<'o> {
    originals: &'o HashMap<i64, Option<i64>>,
    /// What is known: whether a number leads in a circle.
    known: HashMap<i64, bool>,
}

impl<'o> Ways<'o> {
    fn new(originals: &'o HashMap<i64, Option<i64>>) -> Self {
        Self { originals, known: HashMap::new() }
    }

    /// Each number is passed over once, however many duplicates lead there.
    fn lead_in_a_circle(&mut self, number: i64) -> bool {
        let (mut passed, mut next) = (HashSet::new(), Some(number));
        let circle = loop {
            let Some(number) = next else { break false };
            if let Some(known) = self.known.get(&number) {
                break *known;
            }
            if !passed.insert(number) {
                break true;
            }
            next = self.originals.get(&number).copied().flatten();
        };
        self.known.extend(passed.into_iter().map(|number| (number, circle)));
        circle
    }
}
