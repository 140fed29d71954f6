//! The units of the index: the texts of a record by itself, and those of each of its parts.

use std::collections::BTreeSet;

use db::{Param, Tx};
use domain::OrgId;
use domain::search::SearchKind;

use super::texts;
use crate::dialect::{among, among_parameter};
use crate::error::Result;

/// The texts that the index takes in and out together: a record's title and description, or a part of it, such as a note. So a
/// write costs what it changes, however much the record has beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Unit {
    /// The number of the record.
    pub(crate) number: i64,
    /// [`OWN`], or the number of the part.
    pub(crate) part: i64,
}

/// Stands for the texts of the record itself.
pub(crate) const OWN: i64 = 0;

impl Unit {
    /// The texts of a record itself.
    pub(crate) fn own(number: i64) -> Self {
        Self { number, part: OWN }
    }

    /// Whether it is a record itself.
    pub(crate) fn is_own(self) -> bool {
        self.part == OWN
    }
}

/// The parameter of [`crate::dialect::wanted_units`].
pub(super) fn parameter<'u>(units: impl IntoIterator<Item = &'u Unit>) -> String {
    let pairs: Vec<[i64; 2]> = units.into_iter().map(|unit| [unit.number, unit.part]).collect();
    serde_json::json!(pairs).to_string()
}

/// The parts that the index has of these records.
pub(crate) async fn stored_parts(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    numbers: &[i64],
) -> Result<BTreeSet<Unit>> {
    let sql = format!(
        "SELECT p.number, p.part FROM search_part AS p
         WHERE p.organization = $1 AND p.noun = $3 AND {}",
        among(tx.engine(), "p.number", "$2")
    );
    units(tx, &sql, organization, kind, numbers).await
}

/// The parts that these records have now: notes, or items of documents by their places.
pub(crate) async fn present_parts(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    numbers: &[i64],
) -> Result<BTreeSet<Unit>> {
    match kind {
        SearchKind::Incident => {
            let sql = format!(
                "SELECT r.incident, r.number FROM incident_note AS r
                 WHERE r.organization = $1 AND {} AND r.deleted_date IS NULL AND $3 = 'incident'",
                among(tx.engine(), "r.incident", "$2")
            );
            units(tx, &sql, organization, kind, numbers).await
        }
        SearchKind::Risk => Ok(BTreeSet::new()),
        SearchKind::Document => texts::item_units(tx, organization, numbers).await,
    }
}

async fn units(
    tx: &mut Tx,
    sql: &str,
    organization: OrgId,
    kind: SearchKind,
    numbers: &[i64],
) -> Result<BTreeSet<Unit>> {
    let numbers = among_parameter(tx.engine(), numbers.iter().copied());
    let params: [&dyn Param; 3] = [&organization.uuid(), &numbers, &kind.as_str()];
    let rows: Vec<(i64, i64)> = tx.query(sql, &params).await?;
    Ok(rows.into_iter().map(|(number, part)| Unit { number, part }).collect())
}
