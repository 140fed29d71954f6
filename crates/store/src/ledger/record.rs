//! Records and their tables: each record has one list of columns, from which the statements for insert, update, history
//! and reading and the journal's fields are derived. A table belongs to the organizations, whose id is then the first part
//! of its key, or to the instance.

mod kind;
pub(crate) mod names;
mod statements;
mod states;
mod versioned;

use db::{FromRow, Param, Row, Tx, Value};
use domain::OrgId;
use serde_json::Value as Json;

pub(crate) use kind::{
    AFaultList, AHold, AKeptList, AList, APerson, ARating, AScaleContent, ASource, AStepList, AViewFilter,
    AWord, AWordOrDefault, AWordOrNone, AnActionList, AnActor, EmailOfPerson, Folded, Kind, OwnOrganization,
    Plain, PlainOrDefault, Shape, SomeChanges, stored_roles, stored_scopes, stored_word,
};
pub(crate) use statements::{Statements, columns_as};
pub(crate) use states::{history, past, present};
pub(crate) use versioned::{Versioned, versioned};

use crate::ledger::error::Result;
use crate::ledger::journal::payload::Payload;

/// Whether and how a field changes after its record was created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// It identifies the record, together with the organization.
    Key,
    /// It does not change. The journal has it as author and time of the record's first entry.
    Fixed,
    /// It may change, and each change is journaled.
    Journaled,
    /// It changes with every change: the version, the time and the number of the latest entry.
    Counted,
}

/// Whose records a table has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// Each organization's.
    Organization,
    /// The instance's: the table has no column `organization`.
    Instance,
}

/// A field of a record, and the columns that it lies in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field {
    /// The name of the field; its columns begin with it.
    pub(crate) name: &'static str,
    /// What becomes of it.
    pub(crate) role: Role,
    /// How many columns it has, and what is joined to it.
    pub(crate) shape: Shape,
}

/// Fields with their columns: those of a record, or those that several records have in common. [`columns!`] declares them.
pub(crate) trait Columns: Sized {
    /// The fields, in the order in which they are read.
    fn fields() -> Vec<Field>;

    /// The values of the columns of fields with one of these roles, in the order of the fields.
    fn values(&self, roles: &[Role]) -> Vec<Value<'_>>;

    /// Reads the fields in their order. Fields without a column in its table are empty.
    fn read(row: &mut Reader<'_>) -> db::Result<Self>;
}

/// A record that lies in a table of its own, or in one and a history. [`record!`] declares it.
pub(crate) trait Record: Columns + Send {
    /// The table. Where there is a history it is in the table of this name with `_history`.
    const TABLE: &'static str;
    /// Whose table it is.
    const OWNER: Owner;

    /// The statements on its tables.
    fn statements() -> &'static Statements;
}

/// Declares a record with its columns: `field: Kind => role` for each field, `field as "column": …` where the column has
/// another name, and what is in no column. `of Instance` marks a table of the instance. A record may contain another one of
/// the same table, or columns that several tables have in common; they come first.
///
/// ```ignore
/// record! {
///     Client in "client" {
///         id: Plain => Key,
///         name: Plain => Journaled,
///     }
///     without { uses: 0 }
/// }
/// record! {
///     ClientWithMaker in "client" with client: Client {
///         maker as "created_by": AnActor => Fixed,
///     }
/// }
/// ```
macro_rules! record {
    ($record:ident in $table:literal $(of $owner:ident)? $(with $part:ident: $contained:ident)? {
        $($columns:tt)*
    } $(without { $($without:tt)* })?) => {
        $crate::ledger::record::columns! {
            $record $(with $part: $contained)? { $($columns)* } $(without { $($without)* })?
        }

        impl $crate::ledger::record::Record for $record {
            const TABLE: &'static str = $table;
            const OWNER: $crate::ledger::record::Owner =
                [$($crate::ledger::record::Owner::$owner,)? $crate::ledger::record::Owner::Organization][0];

            fn statements() -> &'static $crate::ledger::record::Statements {
                static STATEMENTS: std::sync::LazyLock<$crate::ledger::record::Statements> =
                    std::sync::LazyLock::new($crate::ledger::record::Statements::of::<$record>);
                &STATEMENTS
            }
        }
    };
}

/// Declares the columns of a record, or those that several tables have in common.
macro_rules! columns {
    ($record:ident $(with $part:ident: $contained:ident)? {
        $($field:ident $(as $column:literal)?: $kind:ident => $role:ident),* $(,)?
    } $(without { $($rest:ident: $empty:expr),* $(,)? })?) => {
        impl $crate::ledger::record::Columns for $record {
            fn fields() -> Vec<$crate::ledger::record::Field> {
                let contained: &[Vec<_>] = &[$(<$contained as $crate::ledger::record::Columns>::fields())?];
                let own = [$($crate::ledger::record::Field {
                    // The first name counts: that of the column, or else that of the field.
                    name: [$($column,)? stringify!($field)][0],
                    role: $crate::ledger::record::Role::$role,
                    shape: $crate::ledger::record::$kind::SHAPE,
                }),*];
                contained.concat().into_iter().chain(own).collect()
            }

            fn values(&self, roles: &[$crate::ledger::record::Role]) -> Vec<db::Value<'_>> {
                let mut values = Vec::with_capacity(2 * [$(stringify!($field)),*].len());
                $(values.extend($crate::ledger::record::Columns::values(&self.$part, roles));)?
                $(if roles.contains(&$crate::ledger::record::Role::$role) {
                    <$crate::ledger::record::$kind as $crate::ledger::record::Kind<_>>::write(&self.$field, &mut values);
                })*
                values
            }

            fn read(row: &mut $crate::ledger::record::Reader<'_>) -> db::Result<Self> {
                Ok(Self {
                    $($part: $crate::ledger::record::Columns::read(row)?,)?
                    $($field: <$crate::ledger::record::$kind as $crate::ledger::record::Kind<_>>::read(row)?,)*
                    $($($rest: $empty,)*)?
                })
            }
        }
    };
}

pub(crate) use {columns, record};

/// The columns of a row, one after the other.
pub(crate) struct Reader<'r> {
    row: &'r Row<'r>,
    next: usize,
}

impl<'r> Reader<'r> {
    /// From the first column of a row.
    pub(crate) fn new(row: &'r Row<'r>) -> Self {
        Self { row, next: 0 }
    }

    /// The next column.
    pub(crate) fn next<T: db::Column>(&mut self) -> db::Result<T> {
        let value = self.row.get(self.next);
        self.next += 1;
        value
    }

    /// The next column, which is read again after this.
    pub(crate) fn peek<T: db::Column>(&self) -> db::Result<T> {
        self.row.get(self.next)
    }
}

/// A record as a row of its [`Statements::columns`].
pub(crate) struct Stored<R>(pub(crate) R);

impl<R: Record> FromRow for Stored<R> {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        R::read(&mut Reader::new(row)).map(Self)
    }
}

/// Every role, in no particular order.
pub(crate) const ALL: [Role; 4] = [Role::Key, Role::Fixed, Role::Journaled, Role::Counted];

/// The parameters of a statement: the organization is the first, unless the table is the instance's.
fn parameters<'p, R: Record>(organization: &'p uuid::Uuid, values: &'p [Value<'p>]) -> Vec<&'p dyn Param> {
    let organization = (R::OWNER == Owner::Organization).then_some(organization as &dyn Param);
    organization.into_iter().chain(values.iter().map(|value| value as &dyn Param)).collect()
}

/// Inserts a record that does not exist yet.
pub(crate) async fn insert<R: Record>(tx: &mut Tx, organization: OrgId, record: &R) -> Result<()> {
    let values = record.values(&ALL);
    tx.send(&R::statements().insert, &parameters::<R>(&organization.uuid(), &values)).await?;
    Ok(())
}

/// Inserts a record unless a unique index refuses it. Returns whether it did.
pub(crate) async fn insert_unless_taken<R: Record>(
    tx: &mut Tx,
    organization: OrgId,
    record: &R,
) -> Result<bool> {
    let values = record.values(&ALL);
    let inserted = tx
        .execute(&R::statements().insert_unless_taken, &parameters::<R>(&organization.uuid(), &values))
        .await?;
    Ok(inserted > 0)
}

/// The same where it does not matter whether it did.
pub(crate) async fn insert_once<R: Record>(tx: &mut Tx, organization: OrgId, record: &R) -> Result<()> {
    let values = record.values(&ALL);
    tx.send(&R::statements().insert_unless_taken, &parameters::<R>(&organization.uuid(), &values)).await?;
    Ok(())
}

/// Inserts several records that do not exist yet.
pub(crate) async fn insert_all<R: Record>(tx: &mut Tx, organization: OrgId, records: &[R]) -> Result<()> {
    send_all(tx, organization, &R::statements().insert, records).await
}

/// Inserts several rows by the values of the columns, in the order of the fields.
pub(crate) async fn insert_values<R: Record>(
    tx: &mut Tx,
    organization: OrgId,
    rows: &[Vec<Value<'_>>],
) -> Result<()> {
    send_values::<R>(tx, organization, &R::statements().insert, rows).await
}

/// Inserts several records, or overwrites what may change of those that are there.
pub(crate) async fn insert_or_replace_all<R: Record>(
    tx: &mut Tx,
    organization: OrgId,
    records: &[R],
) -> Result<()> {
    send_all(tx, organization, &R::statements().insert_or_replace, records).await
}

async fn send_all<R: Record>(tx: &mut Tx, organization: OrgId, sql: &str, records: &[R]) -> Result<()> {
    let rows: Vec<_> = records.iter().map(|record| record.values(&ALL)).collect();
    send_values::<R>(tx, organization, sql, &rows).await
}

/// Sends a statement for each row of values, which follow the organization.
pub(crate) async fn send_values<R: Record>(
    tx: &mut Tx,
    organization: OrgId,
    sql: &str,
    rows: &[Vec<Value<'_>>],
) -> Result<()> {
    let organization = organization.uuid();
    let rows: Vec<_> = rows.iter().map(|values| parameters::<R>(&organization, values)).collect();
    tx.send_many(sql, &rows).await?;
    Ok(())
}

/// The record with this key, if there is one.
pub(crate) async fn find<R: Record>(
    tx: &mut Tx,
    organization: OrgId,
    key: &[Value<'_>],
) -> Result<Option<R>> {
    let found: Option<Stored<R>> =
        tx.query_opt(&R::statements().find, &parameters::<R>(&organization.uuid(), key)).await?;
    Ok(found.map(|Stored(record)| record))
}

/// Deletes a record.
pub(crate) async fn delete<R: Record>(tx: &mut Tx, organization: OrgId, key: &[Value<'_>]) -> Result<()> {
    tx.send(&R::statements().delete, &parameters::<R>(&organization.uuid(), key)).await?;
    Ok(())
}

/// Overwrites what may change.
pub(crate) async fn replace<R: Record>(tx: &mut Tx, organization: OrgId, after: &R) -> Result<()> {
    let values = replaced_values(after);
    tx.send(&R::statements().replace, &parameters::<R>(&organization.uuid(), &values)).await?;
    Ok(())
}

/// The parameters of [`Statements::replace`] after the organization.
fn replaced_values<R: Record>(after: &R) -> Vec<Value<'_>> {
    let mut values = after.values(&[Role::Key]);
    values.extend(after.values(&[Role::Journaled, Role::Counted]));
    values
}

/// Overwrites many records that keep no history.
pub(crate) async fn replace_each<R: Record>(tx: &mut Tx, organization: OrgId, after: &[&R]) -> Result<()> {
    let values: Vec<_> = after.iter().map(|record| replaced_values(*record)).collect();
    send_values::<R>(tx, organization, &R::statements().replace, &values).await
}

/// Copies the stored row of a record to its history, where it ends with the entry `seq_to`.
pub(crate) async fn keep_history<R: Record>(
    tx: &mut Tx,
    organization: OrgId,
    after: &R,
    seq_to: i64,
) -> Result<()> {
    let mut values = after.values(&[Role::Key]);
    values.push(Value::Integer(seq_to));
    tx.send(&R::statements().keep_history, &parameters::<R>(&organization.uuid(), &values)).await?;
    Ok(())
}

/// Overwrites what may change of several records that have a history, after copying the stored rows there, where each
/// ends with the entry beside it.
pub(crate) async fn replace_all<R: Record>(
    tx: &mut Tx,
    organization: OrgId,
    after: &[(R, i64)],
) -> Result<()> {
    if after.is_empty() {
        return Ok(());
    }
    let (organization, statements) = (organization.uuid(), R::statements());
    let (mut kept, mut replaced) = (Vec::with_capacity(after.len()), Vec::with_capacity(after.len()));
    for (record, seq_to) in after {
        let mut key = record.values(&[Role::Key]);
        key.push(Value::Integer(*seq_to));
        kept.push(key);
        replaced.push(replaced_values(record));
    }
    for (sql, values) in [(&statements.keep_history, kept), (&statements.replace, replaced)] {
        let rows: Vec<_> = values.iter().map(|values| parameters::<R>(&organization, values)).collect();
        tx.send_many(sql, &rows).await?;
    }
    Ok(())
}

/// The journaled fields of a record with their values in JSON.
pub(crate) fn journaled<R: Record>(record: &R) -> impl Iterator<Item = (&'static str, Json)> {
    let values = record.values(&[Role::Journaled]);
    journaled_fields::<R>().scan(0, move |start, field| {
        let end = *start + field.shape.suffixes.len();
        let value = values.get(*start..end).map(|values| kind::to_json(field.shape, values));
        *start = end;
        Some((field.name, value.unwrap_or_default()))
    })
}

/// The journal payload of a change: each field that differs, before and after.
pub(crate) fn changes<R: Record>(before: Option<&R>, after: &R) -> Payload {
    let roles = [Role::Journaled];
    let (old, new) = (before.map(|before| before.values(&roles)), after.values(&roles));
    let mut start = 0;
    journaled_fields::<R>().fold(Payload::new(), |payload, field| {
        let range = start..start + field.shape.suffixes.len();
        start = range.end;
        let old = old.as_ref().and_then(|old| old.get(range.clone()));
        let new = new.get(range).unwrap_or_default();
        if old == Some(new) {
            return payload;
        }
        let old = old.map(|old| kind::journal(field.shape, old));
        payload.change(field.name, old, kind::journal(field.shape, new))
    })
}

fn journaled_fields<R: Record>() -> impl Iterator<Item = &'static Field> {
    R::statements().fields.iter().filter(|field| field.role == Role::Journaled)
}
