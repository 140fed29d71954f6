//! Rows, whichever engine they come from.

use crate::error::{Error, Result};
use crate::param::Column;

/// One row of an answer. Columns are counted from 0 in the order of the SELECT.
pub enum Row<'a> {
    /// A row of SQLite.
    Sqlite(&'a rusqlite::Row<'a>),
    /// A row of PostgreSQL.
    Postgres(&'a tokio_postgres::Row),
}

impl Row<'_> {
    /// The value of one column; a wrong type or index is [`Error::Internal`].
    pub fn get<T: Column>(&self, index: usize) -> Result<T> {
        match self {
            Self::Sqlite(row) => {
                let value = row
                    .get_ref(index)
                    .map_err(|error| Error::internal(format!("column {index}: {error}")))?;
                T::sqlite(value).map_err(|error| Error::internal(format!("column {index}: {error}")))
            }
            Self::Postgres(row) => {
                row.try_get(index).map_err(|error| Error::internal(format!("column {index}: {error}")))
            }
        }
    }
}

/// What each row of a query is given to.
pub(crate) type Take<'a> = dyn FnMut(&Row<'_>) -> Result<()> + Send + 'a;

/// Something a row can be read into.
pub trait FromRow: Sized + Send {
    /// Reads one row.
    fn from_row(row: &Row<'_>) -> Result<Self>;
}

macro_rules! tuples {
    ($($($name:ident $index:tt),+;)*) => {$(
        impl<$($name: Column),+> FromRow for ($($name,)+) {
            fn from_row(row: &Row<'_>) -> Result<Self> {
                Ok(($(row.get::<$name>($index)?,)+))
            }
        }
    )*};
}

tuples! {
    A 0;
    A 0, B 1;
    A 0, B 1, C 2;
    A 0, B 1, C 2, D 3;
    A 0, B 1, C 2, D 3, E 4;
    A 0, B 1, C 2, D 3, E 4, F 5;
    A 0, B 1, C 2, D 3, E 4, F 5, G 6;
    A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7;
    A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8;
    A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9;
}
