//! The texts of records as they are now, for the index.

use std::collections::{BTreeMap, BTreeSet};

use db::{Param, Row, Tx};
use domain::OrgId;
use domain::document::Document;
use domain::incident::Incident;
use domain::record::{Holds, Record as _};
use domain::risk::Risk;
use domain::search::{SearchKind, SearchQuery, Texts, Weight};
use serde_json::json;

use super::documents::{self, numbers_of_slugs};
use super::indexed::Indexed;
use super::tables::{joined, of_each, split};
use super::unit::{self, Unit};
use crate::ledger::dialect::{numbers_parameter, wanted_numbers, wanted_texts, wanted_units};
use crate::ledger::error::Result;

/// What is to be in the index of those of these records that are there and not deleted, without their parts.
pub(crate) async fn own(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    numbers: &[i64],
) -> Result<BTreeMap<i64, Indexed>> {
    if numbers.is_empty() {
        return Ok(BTreeMap::new());
    }
    match kind {
        SearchKind::Incident => {
            titles(tx, organization, kind, "COALESCE(r.restricted, FALSE)", numbers).await
        }
        SearchKind::Risk => titles(tx, organization, kind, "FALSE", numbers).await,
        SearchKind::Document => own_of_documents(tx, organization, numbers).await,
    }
}

/// What is to be in the index of these parts, of those that are there and not deleted, as their records are.
pub(crate) async fn parts(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    units: &BTreeSet<Unit>,
) -> Result<BTreeMap<Unit, Indexed>> {
    if units.is_empty() {
        return Ok(BTreeMap::new());
    }
    match kind {
        SearchKind::Incident => rows(tx, organization, units).await,
        SearchKind::Risk => Ok(BTreeMap::new()),
        SearchKind::Document => {
            let numbers: BTreeSet<i64> = units.iter().map(|unit| unit.number).collect();
            let numbers: Vec<i64> = numbers.into_iter().collect();
            let parts = documents::parts(tx, organization, &numbers).await?.into_iter();
            let mut found = BTreeMap::new();
            for (unit, pieces) in parts.filter(|(unit, _)| units.contains(unit)) {
                let mut texts = Texts::default();
                pieces.iter().for_each(|text| texts.add(Weight::Rest, text));
                if texts.lines().next().is_some() {
                    found.insert(unit, Indexed { texts, ..Indexed::default() });
                }
            }
            Ok(found)
        }
    }
}

async fn titles(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    restricted: &str,
    numbers: &[i64],
) -> Result<BTreeMap<i64, Indexed>> {
    // CROSS JOIN, because SQLite keeps its order: each record is looked up.
    let sql = format!(
        "SELECT r.number, r.title, r.description, {}, {restricted} FROM {} CROSS JOIN {kind} AS r
         WHERE r.organization = $1 AND r.number = wanted.number AND r.deleted_date IS NULL",
        joined(tx.engine(), &rest(kind)),
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(numbers.iter().copied());
    let rows: Vec<(i64, String, String, String, bool)> =
        tx.query(&sql, &[&organization.uuid(), &numbers]).await?;
    let indexed = |(number, title, description, rest, restricted): (_, String, String, String, _)| {
        (number, Indexed { id: None, restricted, texts: own_texts(&title, &description, &rest) })
    };
    Ok(rows.into_iter().map(indexed).collect())
}

/// The columns with further texts of a record that searches find.
pub(super) fn rest(kind: SearchKind) -> Vec<(&'static str, Holds)> {
    match kind {
        SearchKind::Incident => Incident::searched(),
        SearchKind::Risk => Risk::searched(),
        SearchKind::Document => Document::searched(),
    }
}

/// Documents by the numbers that the index gave them. Their references are looked for as titles are.
async fn own_of_documents(
    tx: &mut Tx,
    organization: OrgId,
    numbers: &[i64],
) -> Result<BTreeMap<i64, Indexed>> {
    let numbers = numbers_of_slugs(tx, organization, numbers).await?;
    let sql = format!(
        "SELECT r.slug, r.title, COALESCE(r.reference, ''), r.description, {} FROM {} CROSS JOIN document AS r
         WHERE r.organization = $1 AND r.slug = wanted.item",
        joined(tx.engine(), &rest(SearchKind::Document)),
        wanted_texts(tx.engine(), "$2")
    );
    let slugs = json!(numbers.keys().collect::<Vec<_>>()).to_string();
    let rows: Vec<(String, String, String, String, String)> =
        tx.query(&sql, &[&organization.uuid(), &slugs]).await?;
    let indexed = |(slug, title, reference, description, rest): (String, String, String, String, String)| {
        let number = *numbers.get(&slug)?;
        let mut texts = own_texts(&title, &description, &rest);
        texts.add(Weight::Title, &reference);
        Some((number, Indexed { id: Some(slug), restricted: false, texts }))
    };
    Ok(rows.into_iter().filter_map(indexed).collect())
}

/// The texts of a record; the `rest` are read together.
fn own_texts(title: &str, description: &str, rest: &str) -> Texts {
    let mut texts = Texts::default();
    texts.add(Weight::Title, title);
    texts.add(Weight::Description, description);
    split(rest).for_each(|text| texts.add(Weight::Rest, text));
    texts
}

/// The parts of incidents. One without a text is none.
async fn rows(tx: &mut Tx, organization: OrgId, units: &BTreeSet<Unit>) -> Result<BTreeMap<Unit, Indexed>> {
    let engine = tx.engine();
    let sql = of_each(|table| {
        format!(
            "SELECT wanted.number, wanted.part, {}, COALESCE(whole.restricted, FALSE)
             FROM {} CROSS JOIN {} AS r CROSS JOIN incident AS whole
             WHERE r.organization = $1 AND r.incident = wanted.number AND {} AND {}
               AND whole.organization = $1 AND whole.number = wanted.number AND whole.deleted_date IS NULL",
            table.texts(engine),
            wanted_units(engine),
            table.name,
            table.is_unit("wanted.part"),
            table.is_there()
        )
    });
    let units = unit::parameter(units);
    let rows: Vec<(i64, i64, String, bool)> = tx.query(&sql, &[&organization.uuid(), &units]).await?;
    let indexed = |(number, part, joined, restricted): (i64, i64, String, bool)| {
        (Unit { number, part }, Indexed { id: None, restricted, texts: own_texts("", "", &joined) })
    };
    Ok(rows.into_iter().map(indexed).filter(|(_, it)| it.texts.lines().next().is_some()).collect())
}

/// Those of these records that a query asks for by their present texts. Their parts are looked through one after the other.
pub(super) async fn found_now(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    query: &SearchQuery,
    numbers: &[i64],
) -> Result<BTreeSet<i64>> {
    let own = own(tx, organization, kind, numbers).await?;
    let mut found: BTreeMap<i64, _> = own.keys().map(|number| (*number, query.looking())).collect();
    for (number, it) in &own {
        found.entry(*number).and_modify(|looking| looking.look_at(&it.texts));
    }
    let mut look_at = |number: i64, text: &str| {
        let mut texts = Texts::default();
        texts.add(Weight::Rest, text);
        found.entry(number).and_modify(|looking| looking.look_at(&texts));
    };
    match kind {
        SearchKind::Incident => {
            let engine = tx.engine();
            let sql = of_each(|table| {
                format!(
                    "SELECT r.incident, {} FROM {} CROSS JOIN {} AS r
                     WHERE r.organization = $1 AND r.incident = wanted.number AND {}",
                    table.texts(engine),
                    wanted_numbers(engine),
                    table.name,
                    table.is_there()
                )
            });
            let numbers = numbers_parameter(numbers.iter().copied());
            let params: [&dyn Param; 2] = [&organization.uuid(), &numbers];
            let take = |row: &Row<'_>| {
                let (number, joined): (i64, String) = (row.get(0)?, row.get(1)?);
                split(&joined).for_each(|text| look_at(number, text));
                Ok(())
            };
            tx.each(&sql, &params, take).await?;
        }
        SearchKind::Risk => {}
        SearchKind::Document => {
            for (unit, pieces) in documents::parts(tx, organization, numbers).await? {
                pieces.iter().for_each(|text| look_at(unit.number, text));
            }
        }
    }
    Ok(found
        .into_iter()
        .filter(|(_, looking)| looking.weight().is_some())
        .map(|(number, _)| number)
        .collect())
}

/// Up to `limit` numbers of records of a kind that are not deleted, after one.
pub(crate) async fn numbers_after(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    after: i64,
    limit: i64,
) -> Result<Vec<i64>> {
    let sql = match kind {
        SearchKind::Incident => {
            "SELECT number FROM incident
            WHERE organization = $1 AND number > $2 AND deleted_date IS NULL ORDER BY number LIMIT $3"
        }
        SearchKind::Risk => {
            "SELECT number FROM risk
            WHERE organization = $1 AND number > $2 AND deleted_date IS NULL ORDER BY number LIMIT $3"
        }
        SearchKind::Document => {
            "SELECT number FROM search_record
            WHERE organization = $1 AND noun = 'document' AND number > $2 ORDER BY number LIMIT $3"
        }
    };
    let params: [&dyn Param; 3] = [&organization.uuid(), &after, &limit];
    let rows: Vec<(i64,)> = tx.query(sql, &params).await?;
    Ok(rows.into_iter().map(|(number,)| number).collect())
}
