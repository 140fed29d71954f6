//! The texts of records as they are now, for the index.

use std::collections::BTreeMap;

use db::{Param, Tx};
use domain::OrgId;
use domain::search::{SearchKind, Texts, Weight};
use serde_json::json;

use super::index::Indexed;
use crate::dialect::{numbers_parameter, wanted_numbers, wanted_texts};
use crate::error::Result;

/// What is to be in the index of those of these records that are there and not deleted.
pub(crate) async fn texts(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    numbers: &[i64],
) -> Result<BTreeMap<i64, Indexed>> {
    let mut found = match kind {
        SearchKind::Incident => {
            titles(tx, organization, "incident", "COALESCE(r.restricted, FALSE)", numbers).await?
        }
        SearchKind::Risk => titles(tx, organization, "risk", "FALSE", numbers).await?,
        SearchKind::Document => documents(tx, organization, numbers).await?,
    };
    if found.is_empty() {
        return Ok(found);
    }
    let rest = rest(tx, organization, kind, found.keys().copied()).await?;
    for (number, text) in rest {
        if let Some(it) = found.get_mut(&number) {
            it.texts.add(Weight::Rest, &text);
        }
    }
    Ok(found)
}

/// What these records have beside their title and description, in a fixed order, each text with the number of its record.
pub(super) async fn rest(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    numbers: impl Iterator<Item = i64>,
) -> Result<Vec<(i64, String)>> {
    let numbers: Vec<i64> = numbers.collect();
    match kind {
        SearchKind::Incident => notes(tx, organization, &numbers).await,
        SearchKind::Risk => Ok(Vec::new()),
        SearchKind::Document => items(tx, organization, &numbers).await,
    }
}

async fn titles(
    tx: &mut Tx,
    organization: OrgId,
    table: &str,
    restricted: &str,
    numbers: &[i64],
) -> Result<BTreeMap<i64, Indexed>> {
    // CROSS JOIN, because SQLite keeps its order: each record is looked up.
    let sql = format!(
        "SELECT r.number, r.title, r.description, {restricted} FROM {} CROSS JOIN {table} AS r
         WHERE r.organization = $1 AND r.number = wanted.number AND r.deleted_date IS NULL",
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(numbers.iter().copied());
    let rows: Vec<(i64, String, String, bool)> = tx.query(&sql, &[&organization.uuid(), &numbers]).await?;
    let indexed = |(number, title, description, restricted): (i64, String, String, bool)| {
        (number, Indexed { id: None, restricted, texts: own_texts(&title, &description) })
    };
    Ok(rows.into_iter().map(indexed).collect())
}

/// Documents by the numbers that the index gave them.
async fn documents(tx: &mut Tx, organization: OrgId, numbers: &[i64]) -> Result<BTreeMap<i64, Indexed>> {
    let numbers = numbers_of_slugs(tx, organization, numbers).await?;
    let sql = format!(
        "SELECT r.slug, r.title, r.description FROM {} CROSS JOIN document AS r
         WHERE r.organization = $1 AND r.slug = wanted.item",
        wanted_texts(tx.engine(), "$2")
    );
    let slugs = json!(numbers.keys().collect::<Vec<_>>()).to_string();
    let rows: Vec<(String, String, String)> = tx.query(&sql, &[&organization.uuid(), &slugs]).await?;
    let indexed = |(slug, title, description): (String, String, String)| {
        let number = *numbers.get(&slug)?;
        Some((number, Indexed { id: Some(slug), restricted: false, texts: own_texts(&title, &description) }))
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

fn own_texts(title: &str, description: &str) -> Texts {
    let mut texts = Texts::default();
    texts.add(Weight::Title, title);
    texts.add(Weight::Description, description);
    texts
}

async fn notes(tx: &mut Tx, organization: OrgId, numbers: &[i64]) -> Result<Vec<(i64, String)>> {
    let sql = format!(
        "SELECT r.incident, r.text FROM {} CROSS JOIN incident_note AS r
         WHERE r.organization = $1 AND r.incident = wanted.number AND r.deleted_date IS NULL
         ORDER BY r.incident, r.number",
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(numbers.iter().copied());
    Ok(tx.query(&sql, &[&organization.uuid(), &numbers]).await?)
}

/// What each item asks for, helps with and has as its value.
async fn items(tx: &mut Tx, organization: OrgId, numbers: &[i64]) -> Result<Vec<(i64, String)>> {
    let numbers = numbers_of_slugs(tx, organization, numbers).await?;
    let sql = format!(
        "SELECT r.document, r.label, r.guidance, r.value FROM {} CROSS JOIN document_item AS r
         WHERE r.organization = $1 AND r.document = wanted.item ORDER BY r.document, r.position",
        wanted_texts(tx.engine(), "$2")
    );
    let slugs = json!(numbers.keys().collect::<Vec<_>>()).to_string();
    let rows: Vec<ItemTexts> = tx.query(&sql, &[&organization.uuid(), &slugs]).await?;
    let of_number = |(slug, label, guidance, value): ItemTexts| {
        let number = numbers.get(&slug).copied();
        let texts = [Some(label), guidance, value].into_iter().flatten();
        texts.filter_map(move |text| Some((number?, text)))
    };
    Ok(rows.into_iter().flat_map(of_number).collect())
}

/// The document of an item, and its label, guidance and value.
type ItemTexts = (String, String, Option<String>, Option<String>);

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
