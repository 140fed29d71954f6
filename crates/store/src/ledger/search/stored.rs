//! What the index has of units: rows of `search_record` and `search_part`.

use std::collections::{BTreeMap, BTreeSet};

use db::{FromRow, Param, Row, Tx};
use domain::OrgId;
use domain::search::{SearchKind, Texts};

use super::indexed::Indexed;
use super::unit::{self, OWN, Unit};
use crate::ledger::dialect::{numbers_parameter, wanted_numbers, wanted_units};
use crate::ledger::error::{Error, Result};

/// What the index has of a record by itself.
#[derive(Debug, Default)]
pub(super) struct Own {
    /// None: it is not in the index.
    pub(super) indexed: Option<Indexed>,
    /// Whether parts of it are.
    pub(super) has_parts: bool,
}

/// What the index has of these records by themselves, for each of them.
pub(super) async fn own(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    numbers: &[i64],
) -> Result<BTreeMap<i64, Own>> {
    let sql = format!(
        "SELECT wanted.number, r.id, r.restricted, r.texts,
             EXISTS (SELECT 1 FROM search_part AS p
                     WHERE p.organization = $1 AND p.noun = $3 AND p.number = wanted.number)
         FROM {} LEFT JOIN search_record AS r
             ON r.organization = $1 AND r.noun = $3 AND r.number = wanted.number",
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(numbers.iter().copied());
    let params: [&dyn Param; 3] = [&organization.uuid(), &numbers, &kind.as_str()];
    let rows: Vec<OwnRow> = tx.query(&sql, &params).await?;
    rows.into_iter().map(OwnRow::read).collect()
}

struct OwnRow {
    number: i64,
    id: Option<String>,
    stored: Option<(bool, String)>,
    has_parts: bool,
}

impl FromRow for OwnRow {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let stored = row.get::<Option<bool>>(2)?.zip(row.get::<Option<String>>(3)?);
        Ok(Self { number: row.get(0)?, id: row.get(1)?, stored, has_parts: row.get(4)? })
    }
}

impl OwnRow {
    fn read(self) -> Result<(i64, Own)> {
        let Self { number, id, stored, has_parts } = self;
        let indexed = match stored {
            Some((restricted, texts)) => Some(Indexed { id, restricted, texts: parse(&texts)? }),
            None => None,
        };
        Ok((number, Own { indexed, has_parts }))
    }
}

/// What the index has of these parts.
pub(crate) async fn parts(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    units: &BTreeSet<Unit>,
) -> Result<BTreeMap<Unit, Indexed>> {
    if units.is_empty() {
        return Ok(BTreeMap::new());
    }
    let sql = format!(
        "SELECT p.number, p.part, p.restricted, p.texts FROM {} CROSS JOIN search_part AS p
         WHERE p.organization = $1 AND p.noun = $3 AND p.number = wanted.number AND p.part = wanted.part",
        wanted_units(tx.engine())
    );
    let units = unit::parameter(units);
    let params: [&dyn Param; 3] = [&organization.uuid(), &units, &kind.as_str()];
    let rows: Vec<(i64, i64, bool, String)> = tx.query(&sql, &params).await?;
    let read = |(number, part, restricted, texts): (i64, i64, bool, String)| {
        Ok((Unit { number, part }, Indexed { id: None, restricted, texts: parse(&texts)? }))
    };
    rows.into_iter().map(read).collect()
}

/// Those of these units that the index has.
pub(super) async fn known(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    units: &BTreeSet<Unit>,
) -> Result<BTreeSet<Unit>> {
    let sql = format!(
        "SELECT wanted.number, wanted.part FROM {}
         WHERE CASE WHEN wanted.part = {OWN}
             THEN EXISTS (SELECT 1 FROM search_record AS r
                          WHERE r.organization = $1 AND r.noun = $3 AND r.number = wanted.number)
             ELSE EXISTS (SELECT 1 FROM search_part AS p
                          WHERE p.organization = $1 AND p.noun = $3 AND p.number = wanted.number
                            AND p.part = wanted.part) END",
        wanted_units(tx.engine())
    );
    let units = unit::parameter(units);
    let params: [&dyn Param; 3] = [&organization.uuid(), &units, &kind.as_str()];
    let rows: Vec<(i64, i64)> = tx.query(&sql, &params).await?;
    Ok(rows.into_iter().map(|(number, part)| Unit { number, part }).collect())
}

/// Writes what the index is to have of these units.
pub(super) async fn write(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    units: &BTreeMap<Unit, Option<Indexed>>,
) -> Result<()> {
    let (organization, kind) = (organization.uuid(), kind.as_str());
    let there = units.iter().filter_map(|(unit, it)| Some((unit, it.as_ref()?)));
    let there: Vec<_> = there.map(|(unit, it)| (unit, it, it.texts.stored())).collect();
    let upsert = "INSERT INTO search_record (organization, noun, number, id, restricted, texts)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (organization, noun, number)
            DO UPDATE SET restricted = excluded.restricted, texts = excluded.texts";
    let rows: Vec<[&dyn Param; 6]> = there
        .iter()
        .filter(|(unit, ..)| unit.is_own())
        .map(|(unit, it, texts)| -> [&dyn Param; 6] {
            [&organization, &kind, &unit.number, &it.id, &it.restricted, texts]
        })
        .collect();
    tx.insert_many(upsert, &rows).await?;
    let upsert = "INSERT INTO search_part (organization, noun, number, part, restricted, texts)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (organization, noun, number, part)
            DO UPDATE SET restricted = excluded.restricted, texts = excluded.texts";
    let rows: Vec<[&dyn Param; 6]> = there
        .iter()
        .filter(|(unit, ..)| !unit.is_own())
        .map(|(unit, it, texts)| -> [&dyn Param; 6] {
            [&organization, &kind, &unit.number, &unit.part, &it.restricted, texts]
        })
        .collect();
    tx.insert_many(upsert, &rows).await?;
    let gone = || units.iter().filter(|(_, it)| it.is_none()).map(|(unit, _)| unit);
    let delete = "DELETE FROM search_record WHERE organization = $1 AND noun = $2 AND number = $3";
    let own = gone().filter(|unit| unit.is_own());
    let rows: Vec<[&dyn Param; 3]> =
        own.map(|unit| -> [&dyn Param; 3] { [&organization, &kind, &unit.number] }).collect();
    tx.send_many(delete, &rows).await?;
    let delete =
        "DELETE FROM search_part WHERE organization = $1 AND noun = $2 AND number = $3 AND part = $4";
    let parts = gone().filter(|unit| !unit.is_own());
    let rows: Vec<[&dyn Param; 4]> =
        parts.map(|unit| -> [&dyn Param; 4] { [&organization, &kind, &unit.number, &unit.part] }).collect();
    Ok(tx.send_many(delete, &rows).await?)
}

/// Up to `limit` records of the index in the order of their numbers, after one, without their parts.
pub(crate) async fn own_after(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    after: i64,
    limit: i64,
) -> Result<BTreeMap<i64, Indexed>> {
    let sql = "SELECT number, id, restricted, texts FROM search_record
        WHERE organization = $1 AND noun = $2 AND number > $3 ORDER BY number LIMIT $4";
    let params: [&dyn Param; 4] = [&organization.uuid(), &kind.as_str(), &after, &limit];
    let rows: Vec<(i64, Option<String>, bool, String)> = tx.query(sql, &params).await?;
    let read = |(number, id, restricted, texts): (i64, Option<String>, bool, String)| {
        Ok((number, Indexed { id, restricted, texts: parse(&texts)? }))
    };
    rows.into_iter().map(read).collect()
}

/// Gives the texts of these records, and of their parts, to `take` one after the other.
pub(super) async fn each(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    numbers: &[i64],
    mut take: impl FnMut(i64, Texts) + Send,
) -> Result<()> {
    let numbers = numbers_parameter(numbers.iter().copied());
    let params: [&dyn Param; 3] = [&organization.uuid(), &numbers, &kind.as_str()];
    for table in ["search_record", "search_part"] {
        let sql = format!(
            "SELECT r.number, r.texts FROM {} CROSS JOIN {table} AS r
             WHERE r.organization = $1 AND r.noun = $3 AND r.number = wanted.number",
            wanted_numbers(tx.engine())
        );
        let each = |row: &Row<'_>| {
            take(row.get(0)?, Texts::parse(&row.get::<String>(1)?).ok_or_else(damaged)?);
            Ok(())
        };
        tx.each(&sql, &params, each).await?;
    }
    Ok(())
}

fn parse(texts: &str) -> Result<Texts> {
    Texts::parse(texts).ok_or_else(|| Error::from(damaged()))
}

fn damaged() -> db::Error {
    db::Error::Internal("The texts of the index are damaged.".to_owned())
}
