//! Pages of records of any kind.

use std::pin::Pin;

use db::{Tx, Value};
use domain::OrgId;

use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Select};
use crate::ledger::page::Page;
use crate::ledger::record::{Record, Role, Stored};
use crate::ledger::verify::recorded::Recorded;
use crate::ledger::view::View;

/// What a function that depends on the kind of record gives in the end.
pub(crate) type Outcome<'t, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 't>>;

/// Where a page of records ends: the key of its last one.
pub(crate) type Cursor = Vec<Value<'static>>;

/// Some records of a kind.
pub(crate) struct RecordPage<T = Recorded> {
    pub(crate) records: Vec<T>,
    /// Where the next page begins; none after the last.
    pub(crate) next: Option<Cursor>,
}

impl<R: Record> RecordPage<R> {
    /// Up to `limit` records after the one with the key `after`, deleted ones too.
    pub(crate) async fn read(tx: &mut Tx, owner: OrgId, after: Cursor, limit: i64) -> Result<Self> {
        let key: Vec<_> = R::statements().key().collect();
        let select = Select::<R>::of(owner, View::with_deleted()).order(&key, Direction::Ascending, after);
        let Page { rows, has_more } = select.page(tx, limit).await?;
        let records: Vec<R> = rows.into_iter().map(|Stored(record)| record).collect();
        let last = records.last().filter(|_| has_more);
        let next = last.map(|last| last.values(&[Role::Key]).into_iter().map(Value::into_owned).collect());
        Ok(Self { records, next })
    }
}

impl<T> RecordPage<T> {
    /// The same page with each record made into something else.
    pub(crate) fn map<U>(self, make: impl FnMut(T) -> U) -> RecordPage<U> {
        RecordPage { records: self.records.into_iter().map(make).collect(), next: self.next }
    }
}
