//! The statements on a record's tables, made once from its list of columns.

use super::{Field, Record, Role};

/// SQL for one kind of record. The organization is always `$1`.
pub(crate) struct Statements {
    /// Inserts a row: the columns of every field follow the organization.
    pub(crate) insert: String,
    /// The same, and nothing happens when a unique index refuses it.
    pub(crate) insert_unless_taken: String,
    /// The same, and what may change is overwritten where there is a row of this key.
    pub(crate) insert_or_replace: String,
    /// Overwrites what may change: the key follows the organization.
    pub(crate) replace: String,
    /// Copies the row of a key to the history; the entry that ends it is the last parameter.
    pub(crate) keep_history: String,
    /// The bare columns, with the organization, as the table and its history have them.
    pub(crate) stored: String,
    /// The columns that [`Record::read`] takes, of rows called `r` with `joins`.
    pub(crate) columns: String,
    /// The joins that `columns` needs.
    pub(crate) joins: String,
}

impl Statements {
    /// The statements of a record.
    pub(crate) fn of<R: Record>() -> Self {
        let table = R::TABLE;
        let stored = joined(columns::<R>(|_| true), ", ");
        let count = columns::<R>(|_| true).count();
        let places: Vec<String> = (1..=count + 1).map(|place| format!("${place}")).collect();
        let insert = format!("INSERT INTO {table} (organization, {stored}) VALUES ({})", places.join(", "));
        let by_key = conditions(columns::<R>(|field| field.role == Role::Key), 2, " AND ");
        let keys = columns::<R>(|field| field.role == Role::Key).count();
        let may_change = |field: &Field| matches!(field.role, Role::Journaled | Role::Counted);
        let changed = conditions(columns::<R>(may_change), keys + 2, ", ");
        Self {
            insert_unless_taken: format!("{insert} ON CONFLICT DO NOTHING"),
            insert_or_replace: format!(
                "{insert} ON CONFLICT (organization, {}) DO UPDATE SET {}",
                joined(columns::<R>(|field| field.role == Role::Key), ", "),
                joined(columns::<R>(may_change).map(|name| format!("{name} = excluded.{name}")), ", ")
            ),
            insert,
            replace: format!("UPDATE {table} SET {changed} WHERE organization = $1 AND {by_key}"),
            keep_history: format!(
                "INSERT INTO {table}_history (organization, {stored}, seq_to)
                 SELECT organization, {stored}, CAST(${} AS BIGINT) FROM {table}
                 WHERE organization = $1 AND {by_key}",
                keys + 2
            ),
            stored: format!("organization, {stored}"),
            columns: joined(R::FIELDS.iter().map(read), ", "),
            joins: joined(R::FIELDS.iter().map(joins), ""),
        }
    }
}

/// The names of the columns of some fields.
fn columns<R: Record>(wanted: impl Fn(&Field) -> bool) -> impl Iterator<Item = String> {
    R::FIELDS.iter().filter(move |field| wanted(field)).flat_map(names)
}

fn names(field: &'static Field) -> impl Iterator<Item = String> {
    field.shape.suffixes.iter().map(|suffix| format!("{}{suffix}", field.name))
}

fn read(field: &'static Field) -> String {
    match field.shape.joined {
        Some(join) => join(field.name).columns,
        None => joined(names(field).map(|name| format!("r.{name}")), ", "),
    }
}

fn joins(field: &'static Field) -> String {
    field.shape.joined.map(|join| join(field.name).joins).unwrap_or_default()
}

fn conditions(columns: impl Iterator<Item = String>, first: usize, between: &str) -> String {
    joined((first..).zip(columns).map(|(place, name)| format!("{name} = ${place}")), between)
}

fn joined(parts: impl Iterator<Item = String>, between: &str) -> String {
    parts.collect::<Vec<_>>().join(between)
}
