//! The statements on a record's tables, made once from its list of columns.

use super::names::Joined;
use super::{Columns, Field, Owner, Record, Role};

/// SQL for one kind of record. The organization is always `$1`, unless the table is the instance's.
pub(crate) struct Statements {
    /// The fields of the record.
    pub(crate) fields: Vec<Field>,
    /// Inserts a row: the columns of every field follow the organization.
    pub(crate) insert: String,
    /// The same, and nothing happens when a unique index refuses it.
    pub(crate) insert_unless_taken: String,
    /// The same, and what may change is overwritten where there is a row of this key.
    pub(crate) insert_or_replace: String,
    /// Overwrites what may change: the key follows the organization.
    pub(crate) replace: String,
    /// Deletes the row of a key.
    pub(crate) delete: String,
    /// Counts the rows of a key: one or none.
    pub(crate) count: String,
    /// Marks the row of a key as deleted or not: its entry, `deleted_date` and `updated_date` follow the key.
    pub(crate) mark_deleted: String,
    /// Reads the row of a key.
    pub(crate) find: String,
    /// Copies the row of a key to the history; the entry that ends it is the last parameter.
    pub(crate) keep_history: String,
    /// The bare columns of rows called `r`, with the organization, as the table and its history have them.
    pub(crate) stored: String,
    /// The columns that [`Columns::read`] takes, of rows called `r` with `joins`.
    pub(crate) columns: String,
    /// The joins that `columns` needs.
    pub(crate) joins: String,
    /// The same columns without joins: the name of a person or an actor is its id.
    pub(crate) unnamed_columns: String,
}

impl Statements {
    /// The statements of a record.
    pub(crate) fn of<R: Record>() -> Self {
        let (table, fields) = (R::TABLE, R::fields());
        let columns = |wanted: &dyn Fn(Role) -> bool| -> Vec<String> {
            fields.iter().filter(|field| wanted(field.role)).flat_map(names).collect()
        };
        let owner: Vec<String> = match R::OWNER {
            Owner::Organization => vec!["organization".to_owned()],
            Owner::Instance => Vec::new(),
        };
        let key = [owner.clone(), columns(&|role| role == Role::Key)].concat();
        let changed = columns(&|role| matches!(role, Role::Journaled | Role::Counted));
        let all = [owner, columns(&|_| true)].concat();
        let places: Vec<String> = (1..=all.len()).map(|place| format!("${place}")).collect();
        let stored = all.join(", ");
        let insert = format!("INSERT INTO {table} ({stored}) VALUES ({})", places.join(", "));
        let by_key = equal("", &key, 1, " AND ");
        let Joined { columns, joins, unnamed } = columns_as::<R>("r");
        let found = equal("r.", &key, 1, " AND ");
        Self {
            insert_unless_taken: format!("{insert} ON CONFLICT DO NOTHING"),
            insert_or_replace: format!(
                "{insert} ON CONFLICT ({}) DO UPDATE SET {}",
                key.join(", "),
                joined(changed.iter().map(|name| format!("{name} = excluded.{name}")), ", ")
            ),
            insert,
            replace: format!(
                "UPDATE {table} SET {} WHERE {by_key}",
                equal("", &changed, key.len() + 1, ", ")
            ),
            delete: format!("DELETE FROM {table} WHERE {by_key}"),
            count: format!("SELECT count(*) FROM {table} WHERE {by_key}"),
            mark_deleted: format!(
                "UPDATE {table} SET {}, version = version + 1 WHERE {by_key}",
                equal(
                    "",
                    &["seq_from", "deleted_date", "updated_date"].map(str::to_owned),
                    key.len() + 1,
                    ", "
                )
            ),
            find: format!("SELECT {columns} FROM {table} AS r{joins} WHERE {found}"),
            keep_history: format!(
                "INSERT INTO {table}_history ({stored}, seq_to)
                 SELECT {stored}, CAST(${} AS BIGINT) FROM {table} WHERE {by_key}",
                key.len() + 1
            ),
            stored: joined(all.iter().map(|name| format!("r.{name}")), ", "),
            columns,
            joins,
            unnamed_columns: unnamed,
            fields,
        }
    }

    /// The columns of the key, after the organization.
    pub(crate) fn key(&self) -> impl Iterator<Item = &'static str> {
        self.fields.iter().filter(|field| field.role == Role::Key).map(|field| field.name)
    }
}

/// The columns that [`Columns::read`] takes and the joins that they need, of rows that are called `alias`.
pub(crate) fn columns_as<R: Columns>(alias: &str) -> Joined {
    let fields: Vec<Joined> = R::fields().iter().map(|field| read(alias, field)).collect();
    Joined {
        columns: joined(fields.iter().map(|field| field.columns.clone()), ", "),
        joins: joined(fields.iter().map(|field| field.joins.clone()), ""),
        unnamed: joined(fields.iter().map(|field| field.unnamed.clone()), ", "),
    }
}

fn read(alias: &str, field: &Field) -> Joined {
    match field.shape.joined {
        Some(join) => join(alias, field.name),
        None => Joined::bare(joined(names(field).map(|name| format!("{alias}.{name}")), ", ")),
    }
}

fn names(field: &Field) -> impl Iterator<Item = String> {
    field.shape.suffixes.iter().map(|suffix| format!("{}{suffix}", field.name))
}

fn equal(row: &str, columns: &[String], first: usize, between: &str) -> String {
    joined((first..).zip(columns).map(|(place, name)| format!("{row}{name} = ${place}")), between)
}

fn joined(parts: impl Iterator<Item = String>, between: &str) -> String {
    parts.collect::<Vec<_>>().join(between)
}

#[cfg(test)]
mod tests {
    use crate::ledger::record::{Columns as _, Record as _, record};

    struct Tool {
        id: i64,
        name: String,
    }

    record! {
        Tool in "tool" of Instance {
            id: Plain => Key,
            name: Folded => Journaled,
        }
    }

    struct SealedTool {
        tool: Tool,
        seal: Vec<u8>,
    }

    record! {
        SealedTool in "tool" with tool: Tool {
            seal as "sealed": Plain => Counted,
        }
    }

    #[test]
    fn a_table_of_the_instance_has_no_organization() {
        let tool = Tool::statements();
        assert_eq!(tool.insert, "INSERT INTO tool (id, name, name_folded) VALUES ($1, $2, $3)");
        assert_eq!(tool.replace, "UPDATE tool SET name = $2, name_folded = $3 WHERE id = $1");
        assert_eq!(tool.find, "SELECT r.id, r.name FROM tool AS r WHERE r.id = $1");
    }

    #[test]
    fn the_columns_of_a_contained_record_come_before_the_others() {
        let sealed = SealedTool::statements();
        assert_eq!(
            sealed.insert,
            "INSERT INTO tool (organization, id, name, name_folded, sealed) VALUES ($1, $2, $3, $4, $5)"
        );
        let tool = Tool { id: 1, name: "Saw".to_owned() };
        let record = SealedTool { tool, seal: vec![7] };
        let values = record.values(&super::super::ALL);
        assert_eq!(values, [1_i64.into(), "Saw".into(), "saw".into(), [7_u8].as_slice().into()]);
        assert_eq!(sealed.delete, "DELETE FROM tool WHERE organization = $1 AND id = $2");
    }
}
