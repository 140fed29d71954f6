//! The parts of documents that searches find: the items with their options, the texts in force, what an open proposal says, and
//! the template.

use std::collections::{BTreeMap, BTreeSet};

use db::{Engine, Tx};
use domain::OrgId;
use domain::document::{ProposedChanges, body_of};
use domain::record::Holds;
use serde_json::json;

use super::tables::{SEPARATOR, joined, split};
use super::unit::Unit;
use crate::ledger::dialect::{all_of, day, members, numbers_parameter, wanted_numbers, wanted_texts};
use crate::ledger::error::Result;

/// A table with a row for each part.
pub(super) struct DocumentTable {
    pub(super) name: &'static str,
    /// The column with the slug of the document.
    slug: &'static str,
    /// What counts the rows of a document.
    number: &'static str,
    /// What the units of its rows add to these numbers, so that no unit of another table has the same number.
    base: i64,
    /// The condition that searches find the row `r`.
    pub(super) is_there: fn(Engine) -> String,
    /// The texts of the row `r`, which [`pieces`] separates.
    pub(super) texts: fn(Engine) -> String,
}

const VERSIONS: i64 = 1 << 40;
const PROPOSALS: i64 = 2 << 40;
const TEMPLATE: i64 = 3 << 40;

const TABLES: [DocumentTable; 4] = [
    DocumentTable {
        name: "document_item",
        slug: "document",
        number: "r.position",
        base: 1,
        is_there: |_| "TRUE".to_owned(),
        texts: item,
    },
    DocumentTable {
        name: "document_version",
        slug: "document",
        number: "r.number",
        base: VERSIONS,
        is_there: is_in_force_or_later,
        texts: |_| "r.markdown".to_owned(),
    },
    DocumentTable {
        name: "proposal",
        slug: "document",
        number: "r.number",
        base: PROPOSALS,
        is_there: |_| "r.status IN ('open', 'submitted')".to_owned(),
        texts: proposal,
    },
    DocumentTable {
        name: "document",
        slug: "slug",
        number: "0",
        base: TEMPLATE,
        is_there: |_| "r.template IS NOT NULL".to_owned(),
        texts: |_| "r.template".to_owned(),
    },
];

/// What an item asks for, helps with and has as its value, or as its default if it is a text without a value, and its options.
fn item(engine: Engine) -> String {
    let own = [("label", Holds::Line), ("guidance", Holds::Prose)];
    let value = "COALESCE(r.value, CASE WHEN r.kind = 'text' THEN r.default_value END, '')";
    let options = members(engine, "r.options", &["label", "text", "guidance"], SEPARATOR);
    let own = joined(engine, &own);
    format!("{own} || '{SEPARATOR}' || {value} || '{SEPARATOR}' || COALESCE({options}, '')")
}

/// What a proposal changes beside the values, as it is stored, and the values that its change sets have.
fn proposal(engine: Engine) -> String {
    let values = all_of(engine, "edit.value", "edit.change_set, edit.item", SEPARATOR);
    format!(
        "COALESCE(r.changes, '') || '{SEPARATOR}' || COALESCE((SELECT {values} FROM change_set
             JOIN change_set_edit AS edit ON edit.organization = change_set.organization
                 AND edit.change_set = change_set.number
             WHERE change_set.organization = r.organization AND change_set.proposal = r.number), '')"
    )
}

/// The version that was in force when the document was last changed, and later ones. What the index has follows from records
/// alone, so it does not change when a day comes: an earlier version is found until the document changes next.
fn is_in_force_or_later(engine: Engine) -> String {
    format!(
        "r.number >= COALESCE((SELECT MAX(known.number) FROM document_version AS known
             WHERE known.organization = r.organization AND known.document = r.document
               AND known.effective_date <= (SELECT {} FROM document AS whole
                   WHERE whole.organization = r.organization AND whole.slug = r.document)), 0)",
        day(engine, "whole.updated_date")
    )
}

/// The slug of the document that an entry `e` of the journal is about, itself or by one of its proposals; NULL of another, and
/// of one that changes nothing of a proposal that searches find.
pub(crate) const DOCUMENT_OF_ENTRY: &str = "CASE WHEN e.subject_kind = 'document' THEN e.subject_id
    WHEN e.subject_kind = 'proposal' AND e.kind NOT IN ('proposal.comment_resolved', 'proposal.commented',
        'proposal.decision_recorded', 'proposal.four_eyes_waived', 'proposal.person_replaced',
        'proposal.step_approved', 'proposal.submitted')
    THEN (SELECT p.document FROM proposal AS p
        WHERE p.organization = e.organization AND p.number = CAST(e.subject_id AS BIGINT)) END";

/// One statement of what `select` makes for each table.
pub(super) fn of_each(select: impl Fn(&DocumentTable) -> String) -> String {
    TABLES.iter().map(select).collect::<Vec<_>>().join(" UNION ALL ")
}

impl DocumentTable {
    /// The condition that the row `r` is of a document.
    pub(super) fn is_of(&self, slug: &str) -> String {
        format!("r.organization = $1 AND r.{} = {slug}", self.slug)
    }

    /// The condition that the row `r` is of the unit with this number.
    pub(super) fn is_unit(&self, part: &str) -> String {
        format!("{} = {part} - {}", self.number, self.base)
    }

    /// The parts that are there of the documents in the parameter `$2`: of each the slug, and what `columns` makes of its number
    /// and its texts.
    fn select(&self, engine: Engine, columns: impl Fn(&str, &str) -> String) -> String {
        format!(
            "SELECT wanted.item AS slug, {} FROM {} CROSS JOIN {} AS r WHERE {} AND {}",
            columns(&format!("{} + {}", self.number, self.base), &(self.texts)(engine)),
            wanted_texts(engine, "$2"),
            self.name,
            self.is_of("wanted.item"),
            (self.is_there)(engine)
        )
    }
}

/// The texts of a part as searches find them.
pub(super) fn pieces(part: i64, texts: &str) -> Vec<String> {
    match part {
        VERSIONS..PROPOSALS => vec![body_of(texts).to_owned()],
        PROPOSALS..TEMPLATE => {
            let (changes, values) = texts.split_once(SEPARATOR).unwrap_or_default();
            let mut pieces = ProposedChanges::from_stored(changes).unwrap_or_default().texts();
            pieces.extend(split(values).map(str::to_owned));
            pieces
        }
        _ => split(texts).map(str::to_owned).collect(),
    }
}

/// Each part of these documents, with its texts.
pub(super) async fn parts(
    tx: &mut Tx,
    organization: OrgId,
    numbers: &[i64],
) -> Result<Vec<(Unit, Vec<String>)>> {
    let numbers = numbers_of_slugs(tx, organization, numbers).await?;
    let engine = tx.engine();
    let sql = of_each(|table| table.select(engine, |part, texts| format!("{part}, {texts}")));
    let slugs = json!(numbers.keys().collect::<Vec<_>>()).to_string();
    let rows: Vec<(String, i64, String)> = tx.query(&sql, &[&organization.uuid(), &slugs]).await?;
    let of_number = |(slug, part, texts): (String, i64, String)| {
        Some((Unit { number: *numbers.get(&slug)?, part }, pieces(part, &texts)))
    };
    Ok(rows.into_iter().filter_map(of_number).collect())
}

/// The parts of these documents, without their texts.
pub(super) async fn units(tx: &mut Tx, organization: OrgId, numbers: &[i64]) -> Result<BTreeSet<Unit>> {
    let numbers = numbers_of_slugs(tx, organization, numbers).await?;
    let engine = tx.engine();
    let sql = of_each(|table| table.select(engine, |part, _| part.to_owned()));
    let slugs = json!(numbers.keys().collect::<Vec<_>>()).to_string();
    let rows: Vec<(String, i64)> = tx.query(&sql, &[&organization.uuid(), &slugs]).await?;
    let unit = |(slug, part): (String, i64)| Some(Unit { number: *numbers.get(&slug)?, part });
    Ok(rows.into_iter().filter_map(unit).collect())
}

/// The bytes of the parts of these documents together.
pub(super) async fn bytes(
    tx: &mut Tx,
    organization: OrgId,
    slugs: &BTreeSet<&String>,
) -> Result<BTreeMap<String, i64>> {
    if slugs.is_empty() {
        return Ok(BTreeMap::new());
    }
    let engine = tx.engine();
    let of_parts =
        of_each(|table| table.select(engine, |_, texts| format!("octet_length({texts}) AS bytes")));
    let sql = format!("SELECT slug, CAST(SUM(bytes) AS BIGINT) FROM ({of_parts}) AS part GROUP BY slug");
    let rows: Vec<(String, i64)> = tx.query(&sql, &[&organization.uuid(), &json!(slugs).to_string()]).await?;
    Ok(rows.into_iter().collect())
}

/// The slugs of documents, each with the number that the index gave it.
pub(super) async fn numbers_of_slugs(
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
