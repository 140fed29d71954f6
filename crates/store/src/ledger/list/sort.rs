//! What callers can sort a list by, and where a row stands in the order.

use db::Value;
use domain::Word;
use domain::search::Weight;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::Filter;

/// The direction of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The least first.
    Ascending,
    /// The greatest first.
    Descending,
}

impl Direction {
    pub(super) fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Ascending => ("ASC", ">"),
            Self::Descending => ("DESC", "<"),
        }
    }
}

/// What a list is sorted by. Records that are equal in it are sorted by their key, in the same direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sort<S> {
    /// One of the things that the list can be sorted by.
    pub by: S,
    /// In which direction.
    pub direction: Direction,
}

/// Where a row stands in the order of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    value: Option<SortValue>,
    key: i64,
}

/// A value that a row is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SortValue {
    /// A number.
    Number(i64),
    /// A time.
    Time(Timestamp),
    /// A day.
    Day(Date),
}

impl From<i64> for SortValue {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<Timestamp> for SortValue {
    fn from(at: Timestamp) -> Self {
        Self::Time(at)
    }
}

impl From<Date> for SortValue {
    fn from(day: Date) -> Self {
        Self::Day(day)
    }
}

impl Position {
    /// Of a row in a list that is sorted by the key alone.
    pub(crate) fn of_key(key: i64) -> Self {
        Self { value: None, key }
    }

    /// Of a row with this value; none if the row lacks it.
    pub(crate) fn of(value: Option<SortValue>, key: i64) -> Self {
        Self { value, key }
    }

    /// The weight and the number of a row in the order of a search; none of another order.
    pub(crate) fn ranked(&self) -> Option<(Weight, i64)> {
        match self.value {
            Some(SortValue::Number(weight)) => Some((Weight::of(u8::try_from(weight).ok()?)?, self.key)),
            _ => None,
        }
    }

    /// The number of a row in any order.
    pub(crate) fn number(&self) -> i64 {
        self.key
    }

    /// The value as a parameter.
    pub(super) fn value<'q>(&self) -> Value<'q> {
        match self.value {
            None => Value::Null,
            Some(SortValue::Number(number)) => Value::Integer(number),
            Some(SortValue::Time(at)) => Value::Time(at),
            Some(SortValue::Day(day)) => day.to_string().into(),
        }
    }

    /// The key as a parameter.
    pub(super) fn key<'q>(&self) -> Value<'q> {
        Value::Integer(self.key)
    }
}

/// The value that rows are sorted by, in SQL. Rows are called `r`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SortColumn {
    /// A column or an expression; none for the key alone.
    pub(super) sql: Option<String>,
    /// Whether rows may lack the value.
    pub(super) may_be_absent: bool,
    /// Whether it needs what is joined to the rows.
    pub(super) needs_joins: bool,
}

impl SortColumn {
    /// By the key alone.
    pub(crate) fn key() -> Self {
        Self { sql: None, may_be_absent: false, needs_joins: false }
    }

    /// By a column that always has a value.
    pub(crate) fn column(column: &str) -> Self {
        Self { sql: Some(format!("r.{column}")), ..Self::key() }
    }

    /// By a column that rows may lack.
    pub(crate) fn nullable(column: &str) -> Self {
        Self { may_be_absent: true, ..Self::column(column) }
    }

    /// By an expression over what [`Select::with`](super::Select::with) joins, which rows may lack.
    pub(crate) fn joined(expression: &str) -> Self {
        Self { sql: Some(expression.to_owned()), may_be_absent: true, needs_joins: true }
    }

    /// By the rank of the word in a column: the first of `words` is the least, and a row with any other word comes last,
    /// as if it had none.
    ///
    /// The rank is computed, so that no column can contradict the word. Both engines can have an index on this
    /// expression.
    pub(crate) fn rank<W: Word>(column: &str, words: impl IntoIterator<Item = W>) -> Self {
        let ranks = words.into_iter().zip(1..);
        let cases: Vec<String> =
            ranks.map(|(word, rank)| format!("WHEN '{}' THEN {rank}", word.as_str())).collect();
        let rank = format!("CAST(CASE r.{column} {} END AS BIGINT)", cases.join(" "));
        Self { sql: Some(rank), may_be_absent: true, needs_joins: false }
    }

    /// The filter on one of these values, which an index on this order begins with; none if the order is by the key alone.
    pub(crate) fn one_of<'q>(self, values: impl IntoIterator<Item = i64>) -> Option<Filter<'q>> {
        let values = values.into_iter().map(Value::from).collect();
        self.sql.map(|sql| Filter::Expression(sql, values))
    }
}
