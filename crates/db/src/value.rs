//! A value of whatever type a column has, for statements that are made from a list of columns.

use std::borrow::Cow;
use std::error::Error;

use bytes::BytesMut;
use jiff::Timestamp;
use rusqlite::types::{self, ToSqlOutput, ValueRef};
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use uuid::Uuid;

use crate::param::{KeptParam, Param};

/// A parameter; texts and bytes are borrowed from the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value<'v> {
    /// NULL, of whatever type the column has.
    Null,
    /// A number.
    Integer(i64),
    /// A boolean.
    Bool(bool),
    /// A text.
    Text(Cow<'v, str>),
    /// An id.
    Uuid(Uuid),
    /// A timestamp.
    Time(Timestamp),
    /// Bytes.
    Bytes(Cow<'v, [u8]>),
}

impl Value<'_> {
    /// The same, which borrows nothing.
    #[must_use]
    pub fn into_owned(self) -> Value<'static> {
        match self {
            Self::Null => Value::Null,
            Self::Integer(number) => Value::Integer(number),
            Self::Bool(truth) => Value::Bool(truth),
            Self::Text(text) => Value::Text(Cow::Owned(text.into_owned())),
            Self::Uuid(id) => Value::Uuid(id),
            Self::Time(at) => Value::Time(at),
            Self::Bytes(bytes) => Value::Bytes(Cow::Owned(bytes.into_owned())),
        }
    }
}

impl Param for Value<'_> {
    fn sqlite(&self) -> ToSqlOutput<'_> {
        match self {
            Self::Null => ToSqlOutput::Owned(types::Value::Null),
            Self::Integer(number) => ToSqlOutput::Owned(types::Value::Integer(*number)),
            Self::Bool(truth) => ToSqlOutput::Owned(types::Value::Integer(i64::from(*truth))),
            Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Self::Uuid(id) => ToSqlOutput::Borrowed(ValueRef::Blob(id.as_bytes())),
            Self::Time(at) => ToSqlOutput::Owned(types::Value::Integer(at.as_microsecond())),
            Self::Bytes(bytes) => ToSqlOutput::Borrowed(ValueRef::Blob(bytes)),
        }
    }

    fn postgres(&self) -> &(dyn ToSql + Sync) {
        self
    }

    fn kept(&self) -> KeptParam {
        match self {
            Self::Null => None::<i64>.kept(),
            Self::Integer(number) => number.kept(),
            Self::Bool(truth) => truth.kept(),
            Self::Text(text) => text.as_ref().kept(),
            Self::Uuid(id) => id.kept(),
            Self::Time(at) => at.kept(),
            Self::Bytes(bytes) => bytes.as_ref().kept(),
        }
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Integer(number) => number.to_sql_checked(kind, out),
            Self::Bool(truth) => truth.to_sql_checked(kind, out),
            Self::Text(text) => text.as_ref().to_sql_checked(kind, out),
            Self::Uuid(id) => id.to_sql_checked(kind, out),
            Self::Time(at) => at.to_sql_checked(kind, out),
            Self::Bytes(bytes) => bytes.as_ref().to_sql_checked(kind, out),
        }
    }

    /// The inner value checks the type when it is written.
    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl<'v> From<&'v str> for Value<'v> {
    fn from(text: &'v str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

impl<'v> From<&'v [u8]> for Value<'v> {
    fn from(bytes: &'v [u8]) -> Self {
        Self::Bytes(Cow::Borrowed(bytes))
    }
}

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl From<Uuid> for Value<'_> {
    fn from(id: Uuid) -> Self {
        Self::Uuid(id)
    }
}

impl From<Timestamp> for Value<'_> {
    fn from(at: Timestamp) -> Self {
        Self::Time(at)
    }
}
