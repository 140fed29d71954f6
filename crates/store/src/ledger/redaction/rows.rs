//! The rows of a record and of its parts that have the text: their present state and every earlier one.

use db::{FromRow, Param, Row, Tx, Value};
use domain::redaction::{Redaction, Target};
use domain::text::LINE_CHARACTERS;
use domain::{Line, OrgId, review};
use serde_json::Value as Json;

use super::tables::{Column, Holds, Table, Texts, When};
use crate::ledger::error::Result;

/// The most columns of a table that a redaction may change.
const MOST_COLUMNS: usize = 16;

/// A row with the text.
pub(crate) struct Found {
    pub(crate) table: &'static Table,
    pub(crate) when: When,
    /// Its number in the record.
    pub(crate) number: i64,
    /// The entry that its state begins with.
    seq_from: i64,
    /// The texts of the open columns, as they are and as they are to be.
    texts: Vec<(Option<String>, Option<String>)>,
}

/// The rows that have the text.
pub(crate) async fn find(
    tx: &mut Tx,
    organization: OrgId,
    of: &Texts,
    redaction: &Redaction,
) -> Result<Vec<Found>> {
    let mut found = Vec::new();
    for table in of.tables {
        for when in table.states().iter().copied() {
            let params: [&dyn Param; 2] = [&organization.uuid(), &of.number];
            let rows: Vec<RowTexts> = tx.query(&select(table, when), &params).await?;
            found.extend(rows.into_iter().filter_map(|row| row.redacted(table, when, of, redaction)));
        }
    }
    Ok(found)
}

fn select(table: &Table, when: When) -> String {
    let mut columns: Vec<&str> = table.open().map(|column| column.name).collect();
    columns.resize(MOST_COLUMNS, "CAST(NULL AS TEXT)");
    format!(
        "SELECT {}, seq_from, {} FROM {} WHERE organization = $1 AND {} = $2",
        table.number,
        columns.join(", "),
        table.rows(when),
        table.whole
    )
}

struct RowTexts {
    number: i64,
    seq_from: i64,
    texts: Vec<Option<String>>,
}

impl FromRow for RowTexts {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let texts = (2..2 + MOST_COLUMNS).map(|index| row.get(index)).collect::<db::Result<_>>()?;
        Ok(Self { number: row.get(0)?, seq_from: row.get(1)?, texts })
    }
}

impl RowTexts {
    fn redacted(self, table: &'static Table, when: When, of: &Texts, redaction: &Redaction) -> Option<Found> {
        let Self { number, seq_from, texts } = self;
        let concerned =
            |column: &Column| redaction.concerns(table.part, table.number_of(number), column.name);
        let texts: Vec<_> = table
            .open()
            .zip(texts)
            .map(|(column, before)| {
                let left =
                    before.as_deref().and_then(|text| of_column(column, text, of, redaction, &concerned));
                let after = left.or_else(|| before.clone());
                (before, after)
            })
            .collect();
        let is_changed = texts.iter().any(|(before, after)| before != after);
        is_changed.then_some(Found { table, when, number, seq_from, texts })
    }
}

/// What is left of the text of a column; none if it stays as it is.
pub(crate) fn of_column(
    column: &Column,
    text: &str,
    of: &Texts,
    redaction: &Redaction,
    concerned: &dyn Fn(&Column) -> bool,
) -> Option<String> {
    let left = match column.holds {
        Holds::Text(most) if concerned(column) => redaction.of_text(text, most),
        // No two records may have the same.
        Holds::Reference if concerned(column) => {
            redaction.of_text(text, usize::MAX).map(|_| format!("[redacted {}]", of.subject.id))
        }
        Holds::Copy => of_copy(text, redaction),
        Holds::Actions if concerned(column) => of_actions(text, redaction),
        Holds::Text(_) | Holds::Actions | Holds::Reference | Holds::Closed => None,
    };
    left.filter(|left| left != text)
}

/// What is left of the actions of a review, of which only the titles are texts.
fn of_actions(text: &str, redaction: &Redaction) -> Option<String> {
    let mut actions = review::list_from_stored(text)?;
    for action in &mut actions {
        if let Some(title) = redaction.of_text(&action.title, LINE_CHARACTERS) {
            action.title = Line::stored(title);
        }
    }
    review::list_to_stored(&actions)
}

/// What is left of the copy of fields that another system sent. A redacted text differs from that in the field, so that
/// the field counts as changed by a person, and the system does not bring the text back.
fn of_copy(text: &str, redaction: &Redaction) -> Option<String> {
    let mut copy: Json = serde_json::from_str(text).ok()?;
    let left = match &redaction.target {
        None => redaction.of_json(&copy)?,
        Some(Target::Incident { field }) => {
            let member = copy.get_mut(*field)?;
            *member = redaction.of_json(member)?;
            copy
        }
        Some(_) => return None,
    };
    Some(left.to_string().replace(domain::redaction::MARK, SENT_MARK))
}

/// What stands in the copy for a text that was taken out.
const SENT_MARK: &str = "[redacted as it was sent]";

/// Writes what is left.
pub(crate) async fn write(
    tx: &mut Tx,
    organization: OrgId,
    of: &Texts,
    found: &[Found],
    when: When,
) -> Result<()> {
    for table in of.tables {
        let rows: Vec<Vec<Value<'_>>> = found
            .iter()
            .filter(|row| row.table.name == table.name && row.when == when)
            .map(|row| {
                let key =
                    [organization.uuid().into(), of.number.into(), row.number.into(), row.seq_from.into()];
                let texts =
                    row.texts.iter().map(|(_, after)| after.as_deref().map_or(Value::Null, Value::from));
                key.into_iter().chain(texts).collect()
            })
            .collect();
        let params: Vec<Vec<&dyn Param>> =
            rows.iter().map(|row| row.iter().map(|value| value as &dyn Param).collect()).collect();
        if !params.is_empty() {
            tx.send_many(&update(table, when), &params).await?;
        }
    }
    Ok(())
}

fn update(table: &Table, when: When) -> String {
    let texts: Vec<String> =
        (5..).zip(table.open()).map(|(place, column)| format!("{} = ${place}", column.name)).collect();
    format!(
        "UPDATE {} SET {} WHERE organization = $1 AND {} = $2 AND {} = $3 AND seq_from = $4",
        table.rows(when),
        texts.join(", "),
        table.whole,
        table.number
    )
}
