//! Values on their way in and out of both engines.
//!
//! | Rust | SQLite | PostgreSQL |
//! | --- | --- | --- |
//! | `i64` | INTEGER | bigint |
//! | `bool` | INTEGER 0 or 1 | boolean |
//! | `String`, `&str` | TEXT | text |
//! | `Uuid` | BLOB, 16 bytes | uuid |
//! | `Timestamp` | INTEGER, microseconds since the epoch | timestamptz |
//! | `Vec<u8>`, `&[u8]` | BLOB | bytea |

use bytes::BytesMut;
use jiff::Timestamp;
use rusqlite::types::{FromSqlError, FromSqlResult, ToSqlOutput, Value, ValueRef};
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use uuid::Uuid;

/// A value that both engines can bind.
pub trait Param: Sync {
    /// The value as SQLite stores it.
    fn sqlite(&self) -> ToSqlOutput<'_>;
    /// The value as PostgreSQL's driver takes it.
    fn postgres(&self) -> &(dyn ToSql + Sync);
    /// An owned copy, for a statement that is sent later.
    fn kept(&self) -> KeptParam;
}

/// A value on its way to PostgreSQL.
pub(crate) type KeptParam = Box<dyn ToSql + Send + Sync>;

/// A value that both engines can return.
pub trait Column: for<'a> FromSql<'a> + Send {
    /// Reads what SQLite stored.
    fn sqlite(value: ValueRef<'_>) -> FromSqlResult<Self>;
}

/// Declares how each type is stored in SQLite; PostgreSQL's driver knows them all.
macro_rules! param {
    ($($type:ty: |$value:ident| $output:expr, $kept:expr;)*) => {$(
        impl Param for $type {
            fn sqlite(&self) -> ToSqlOutput<'_> {
                let $value = self;
                $output
            }
            fn postgres(&self) -> &(dyn ToSql + Sync) {
                self
            }
            fn kept(&self) -> KeptParam {
                let $value = self;
                Box::new($kept)
            }
        }
    )*};
}

param! {
    i64: |value| ToSqlOutput::Owned(Value::Integer(*value)), *value;
    bool: |value| ToSqlOutput::Owned(Value::Integer(i64::from(*value))), *value;
    String: |value| ToSqlOutput::Borrowed(ValueRef::Text(value.as_bytes())), value.clone();
    &str: |value| ToSqlOutput::Borrowed(ValueRef::Text(value.as_bytes())), String::from(*value);
    Uuid: |value| ToSqlOutput::Borrowed(ValueRef::Blob(value.as_bytes())), *value;
    Timestamp: |value| ToSqlOutput::Owned(Value::Integer(value.as_microsecond())), *value;
    Vec<u8>: |value| ToSqlOutput::Borrowed(ValueRef::Blob(value)), value.clone();
    &[u8]: |value| ToSqlOutput::Borrowed(ValueRef::Blob(value)), value.to_vec();
}

impl<T: Param + ToSql> Param for Option<T> {
    fn sqlite(&self) -> ToSqlOutput<'_> {
        self.as_ref().map_or(ToSqlOutput::Owned(Value::Null), Param::sqlite)
    }
    fn postgres(&self) -> &(dyn ToSql + Sync) {
        self
    }
    fn kept(&self) -> KeptParam {
        match self {
            Some(value) => value.kept(),
            None => Box::new(Null),
        }
    }
}

/// NULL of whatever type the statement wants.
#[derive(Debug)]
struct Null;

impl ToSql for Null {
    fn to_sql(&self, _: &Type, _: &mut BytesMut) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        Ok(IsNull::Yes)
    }
    fn accepts(_: &Type) -> bool {
        true
    }
    to_sql_checked!();
}

impl Column for i64 {
    fn sqlite(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_i64()
    }
}

impl Column for bool {
    fn sqlite(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_i64().map(|number| number != 0)
    }
}

impl Column for String {
    fn sqlite(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_str().map(str::to_owned)
    }
}

impl Column for Vec<u8> {
    fn sqlite(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_blob().map(<[u8]>::to_vec)
    }
}

impl Column for Uuid {
    fn sqlite(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Self::from_slice(value.as_blob()?).map_err(FromSqlError::other)
    }
}

impl Column for Timestamp {
    fn sqlite(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let micros = value.as_i64()?;
        // `from_microsecond` refuses the last second that a Timestamp can hold.
        let nanos = i32::try_from(micros.rem_euclid(1_000_000) * 1_000).map_err(FromSqlError::other)?;
        Self::new(micros.div_euclid(1_000_000), nanos).map_err(FromSqlError::other)
    }
}

impl<T: Column> Column for Option<T> {
    fn sqlite(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value {
            ValueRef::Null => Ok(None),
            value => T::sqlite(value).map(Some),
        }
    }
}
