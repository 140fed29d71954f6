//! Whether open proposals can be submitted, which the database tells: the values of their items may be long.

use std::collections::HashMap;

use db::{Engine, Tx};
use domain::OrgId;
use domain::document::Readiness;

use crate::ledger::dialect::{breaks_a_line, elements, numbers_parameter, wanted_numbers};
use crate::ledger::error::Result;

/// What those of these proposals lack that are open and have items, by number. Of what they change only the values of items
/// count. It is what a proposal by itself says (`domain::document::{proposed_values, conflicts}`).
pub(super) async fn readiness(
    tx: &mut Tx,
    organization: OrgId,
    proposals: &[i64],
) -> Result<HashMap<i64, Readiness>> {
    let numbers = numbers_parameter(proposals.iter().copied());
    let rows: Vec<(i64, bool, bool, bool)> =
        tx.query(&sql(tx.engine()), &[&organization.uuid(), &numbers]).await?;
    let ready = |(number, has_conflicts, misses_values, changes)| {
        (number, Readiness { has_conflicts, misses_values, changes })
    };
    Ok(rows.into_iter().map(ready).collect())
}

/// `placed` are the items as they are proposed, `ranked` the edits with that first which counts, without their values, and
/// `known` the items with the value that was set last. `said` has the default where the item does not take that.
fn sql(engine: Engine) -> String {
    let (wanted, items) =
        (wanted_numbers(engine), elements(engine, "opened.changes", " -> 'items' -> 1", "it"));
    let (options, breaks) =
        (elements(engine, "known.options", "", "choice"), breaks_a_line(engine, "known.value"));
    format!(
        "WITH opened AS (
        SELECT p.number, p.document, p.changes, p.changes_items FROM {wanted} CROSS JOIN proposal AS p
        WHERE p.organization = $1 AND p.number = wanted.number AND p.status = 'open'
    ), placed AS (
        SELECT opened.number AS proposal, item.id, item.kind, item.required, item.options, item.max_length,
               item.multiline, NULLIF(item.default_value, '') AS usual, item.value AS published
        FROM opened JOIN document_item AS item ON item.organization = $1 AND item.document = opened.document
        WHERE NOT opened.changes_items
        UNION ALL
        SELECT opened.number, it.value ->> 'id', it.value ->> 'kind', CAST(it.value ->> 'required' AS BOOLEAN),
               it.value ->> 'options', CAST(it.value ->> 'max_length' AS BIGINT),
               CAST(it.value ->> 'multiline' AS BOOLEAN), NULLIF(it.value ->> 'default', ''), item.value
        FROM opened CROSS JOIN {items}
        LEFT JOIN document_item AS item ON item.organization = $1 AND item.document = opened.document
            AND item.id = (it.value ->> 'id')
        WHERE opened.changes_items
    ), ranked AS (
        SELECT change_set.proposal, edit.item, edit.change_set, edit.is_adopted,
               row_number() OVER (PARTITION BY change_set.proposal, edit.item
                   ORDER BY edit.is_adopted DESC, edit.set_date DESC, edit.change_set DESC) AS place
        FROM opened
        JOIN change_set ON change_set.organization = $1 AND change_set.proposal = opened.number
        JOIN change_set_edit AS edit ON edit.organization = $1 AND edit.change_set = change_set.number
    ), conflicting AS (
        SELECT DISTINCT latest.proposal, latest.item
        FROM ranked AS latest
        JOIN ranked AS other ON other.proposal = latest.proposal AND other.item = latest.item AND other.place > 1
        JOIN change_set_edit AS edit ON edit.organization = $1 AND edit.change_set = latest.change_set
            AND edit.item = latest.item
        JOIN change_set_edit AS differs ON differs.organization = $1 AND differs.change_set = other.change_set
            AND differs.item = other.item
        WHERE latest.place = 1 AND NOT latest.is_adopted AND differs.value <> edit.value
    ), known AS (
        SELECT placed.*, COALESCE(edit.value, placed.published) AS value, conflicting.item AS conflict
        FROM placed
        LEFT JOIN ranked AS latest ON latest.proposal = placed.proposal AND latest.item = placed.id
            AND latest.place = 1
        LEFT JOIN change_set_edit AS edit ON edit.organization = $1 AND edit.change_set = latest.change_set
            AND edit.item = latest.item
        LEFT JOIN conflicting ON conflicting.proposal = placed.proposal AND conflicting.item = placed.id
    ), said AS (
        SELECT known.proposal, known.required, known.published, known.conflict,
               CASE WHEN known.value = '' AND known.published IS NULL AND known.usual IS NULL THEN NULL
                    WHEN known.kind = 'select' AND NOT EXISTS (
                        SELECT 1 FROM {options} WHERE (choice.value ->> 'id') = known.value) THEN known.usual
                    WHEN known.kind = 'text' AND (length(known.value) > known.max_length
                        OR NOT known.multiline AND {breaks}) THEN known.usual
                    ELSE COALESCE(known.value, known.usual) END AS value
        FROM known
    )
    SELECT proposal, MAX(CASE WHEN conflict IS NULL THEN 0 ELSE 1 END) > 0,
           MAX(CASE WHEN required AND COALESCE(value, '') = '' THEN 1 ELSE 0 END) > 0,
           MAX(CASE WHEN COALESCE(value <> published, value IS NOT NULL OR published IS NOT NULL)
               THEN 1 ELSE 0 END) > 0
    FROM said GROUP BY proposal"
    )
}
