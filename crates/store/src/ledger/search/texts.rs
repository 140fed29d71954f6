//! The texts of records as they are now, for the index.

use std::collections::{BTreeMap, BTreeSet};

use db::{Param, Row, Tx};
use domain::OrgId;
use domain::document::Document;
use domain::incident::Incident;
use domain::record::Record as _;
use domain::risk::Risk;
use domain::search::{SearchKind, SearchQuery, Texts, Weight};
use serde_json::json;

use super::indexed::Indexed;
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
        SearchKind::Document => documents(tx, organization, numbers).await,
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
        SearchKind::Incident => notes(tx, organization, units).await,
        SearchKind::Risk => Ok(BTreeMap::new()),
        SearchKind::Document => {
            let numbers: BTreeSet<i64> = units.iter().map(|unit| unit.number).collect();
            let numbers: Vec<i64> = numbers.into_iter().collect();
            let mut found: BTreeMap<Unit, Indexed> = BTreeMap::new();
            for (unit, text) in items(tx, organization, &numbers).await? {
                found.entry(unit).or_default().texts.add(Weight::Rest, &text);
            }
            found.retain(|unit, _| units.contains(unit));
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
        rest_of(kind),
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

/// Stands between texts that are read together. No text has it.
const SEPARATOR: char = '\u{1f}';

/// The columns with further texts of a record that searches find.
pub(super) fn rest(kind: SearchKind) -> Vec<&'static str> {
    match kind {
        SearchKind::Incident => Incident::searched(),
        SearchKind::Risk => Risk::searched(),
        SearchKind::Document => Document::searched(),
    }
}

/// These texts of the row `r`, as SQL: one after the other.
fn rest_of(kind: SearchKind) -> String {
    let texts = rest(kind).iter().map(|column| format!("COALESCE(r.{column}, '')")).collect::<Vec<_>>();
    if texts.is_empty() { "''".to_owned() } else { texts.join(&format!(" || '{SEPARATOR}' || ")) }
}

/// Documents by the numbers that the index gave them.
async fn documents(tx: &mut Tx, organization: OrgId, numbers: &[i64]) -> Result<BTreeMap<i64, Indexed>> {
    let numbers = numbers_of_slugs(tx, organization, numbers).await?;
    let sql = format!(
        "SELECT r.slug, r.title, r.description, {} FROM {} CROSS JOIN document AS r
         WHERE r.organization = $1 AND r.slug = wanted.item",
        rest_of(SearchKind::Document),
        wanted_texts(tx.engine(), "$2")
    );
    let slugs = json!(numbers.keys().collect::<Vec<_>>()).to_string();
    let rows: Vec<(String, String, String, String)> = tx.query(&sql, &[&organization.uuid(), &slugs]).await?;
    let indexed = |(slug, title, description, rest): (String, String, String, String)| {
        let number = *numbers.get(&slug)?;
        let texts = own_texts(&title, &description, &rest);
        Some((number, Indexed { id: Some(slug), restricted: false, texts }))
    };
    Ok(rows.into_iter().filter_map(indexed).collect())
}

/// The slugs of documents, each with the number that the index gave it.
async fn numbers_of_slugs(
    tx: &mut Tx,
    organization: OrgId,
    numbers: &[i64],
) -> Result<BTreeMap<String, i64>> {
    let sql = format!(
        "SELECT wanted.number, (SELECT known.id FROM search_record AS known
             WHERE known.organization = $1 AND known.noun = 'document' AND known.number = wanted.number)
         FROM {}",
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(numbers.iter().copied());
    let rows: Vec<(i64, Option<String>)> = tx.query(&sql, &[&organization.uuid(), &numbers]).await?;
    Ok(rows.into_iter().filter_map(|(number, slug)| Some((slug?, number))).collect())
}

/// The texts of a record; the `rest` are read together.
fn own_texts(title: &str, description: &str, rest: &str) -> Texts {
    let mut texts = Texts::default();
    texts.add(Weight::Title, title);
    texts.add(Weight::Description, description);
    rest.split(SEPARATOR).filter(|text| !text.is_empty()).for_each(|text| texts.add(Weight::Rest, text));
    texts
}

async fn notes(tx: &mut Tx, organization: OrgId, units: &BTreeSet<Unit>) -> Result<BTreeMap<Unit, Indexed>> {
    let sql = format!(
        "SELECT r.incident, r.number, r.text, COALESCE(whole.restricted, FALSE)
         FROM {} CROSS JOIN incident_note AS r CROSS JOIN incident AS whole
         WHERE r.organization = $1 AND r.incident = wanted.number AND r.number = wanted.part
           AND r.deleted_date IS NULL
           AND whole.organization = $1 AND whole.number = wanted.number AND whole.deleted_date IS NULL",
        wanted_units(tx.engine())
    );
    let units = unit::parameter(units);
    let rows: Vec<(i64, i64, String, bool)> = tx.query(&sql, &[&organization.uuid(), &units]).await?;
    let indexed = |(number, part, text, restricted): (i64, i64, String, bool)| {
        let mut texts = Texts::default();
        texts.add(Weight::Rest, &text);
        (Unit { number, part }, Indexed { id: None, restricted, texts })
    };
    Ok(rows.into_iter().map(indexed).collect())
}

/// What each item asks for, helps with and has as its value.
async fn items(tx: &mut Tx, organization: OrgId, numbers: &[i64]) -> Result<Vec<(Unit, String)>> {
    let numbers = numbers_of_slugs(tx, organization, numbers).await?;
    let sql = format!(
        "SELECT r.document, r.position + 1, r.label, r.guidance, r.value
         FROM {} CROSS JOIN document_item AS r
         WHERE r.organization = $1 AND r.document = wanted.item ORDER BY r.document, r.position",
        wanted_texts(tx.engine(), "$2")
    );
    let slugs = json!(numbers.keys().collect::<Vec<_>>()).to_string();
    let rows: Vec<ItemTexts> = tx.query(&sql, &[&organization.uuid(), &slugs]).await?;
    let of_number = |(slug, part, label, guidance, value): ItemTexts| {
        let number = numbers.get(&slug).copied();
        let texts = [Some(label), guidance, value].into_iter().flatten();
        texts.filter_map(move |text| Some((Unit { number: number?, part }, text)))
    };
    Ok(rows.into_iter().flat_map(of_number).collect())
}

/// The items of these documents, by their places.
pub(super) async fn item_units(tx: &mut Tx, organization: OrgId, numbers: &[i64]) -> Result<BTreeSet<Unit>> {
    Ok(items(tx, organization, numbers).await?.into_iter().map(|(unit, _)| unit).collect())
}

/// The document of an item, its place, and its label, guidance and value.
type ItemTexts = (String, i64, String, Option<String>, Option<String>);

/// Those of these records that a query asks for by their present texts. Their notes are looked through one after the other.
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
            let sql = format!(
                "SELECT r.incident, r.text FROM {} CROSS JOIN incident_note AS r
                 WHERE r.organization = $1 AND r.incident = wanted.number AND r.deleted_date IS NULL",
                wanted_numbers(tx.engine())
            );
            let numbers = numbers_parameter(numbers.iter().copied());
            let params: [&dyn Param; 2] = [&organization.uuid(), &numbers];
            let take = |row: &Row<'_>| {
                look_at(row.get(0)?, &row.get::<String>(1)?);
                Ok(())
            };
            tx.each(&sql, &params, take).await?;
        }
        SearchKind::Risk => {}
        SearchKind::Document => {
            for (unit, text) in items(tx, organization, numbers).await? {
                look_at(unit.number, &text);
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
