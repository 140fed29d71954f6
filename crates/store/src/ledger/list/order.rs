//! The order of a list as SQL, and where a page begins in it.

use db::{Engine, Value};

use super::{Direction, Position, SortColumn, Text};

/// The column of the chosen rows that has the value they are sorted by.
const SORTED_BY: &str = "sorted_by";

/// An order, and the row after which the page begins. Rows that lack the value which they are sorted by come last, in
/// both directions.
#[derive(Debug, Default)]
pub(super) struct Order<'q> {
    /// Columns or expressions; the key is the last one. None: no order.
    columns: Vec<String>,
    descends: bool,
    /// Whether rows may lack the first one.
    may_be_absent: bool,
    /// Whether the first one needs what is joined to the records.
    needs_joins: bool,
    /// The values of the row before the page, one for each column; none for the first page.
    after: Vec<Value<'q>>,
}

/// Rows that follow each other in an order.
pub(super) struct Range {
    /// Their condition, to follow others.
    pub(super) condition: String,
    /// The clause that orders them.
    pub(super) order: String,
}

impl<'q> Order<'q> {
    /// By columns of the table that always have a value.
    pub(super) fn of_columns(columns: &[&str], direction: Direction, after: Vec<Value<'q>>) -> Self {
        let columns = columns.iter().map(|column| format!("r.{column}")).collect();
        Self { columns, descends: direction == Direction::Descending, after, ..Self::default() }
    }

    /// By what the caller chose, and then by the key.
    pub(super) fn of_choice(
        column: SortColumn,
        key: &str,
        direction: Direction,
        after: Option<&Position>,
    ) -> Self {
        let SortColumn { sql, may_be_absent, needs_joins } = column;
        let cursor = |position: &Position| {
            let value = sql.is_some().then(|| position.value());
            value.into_iter().chain([position.key()]).collect::<Vec<_>>()
        };
        let after = after.map(cursor).unwrap_or_default();
        let columns = sql.into_iter().chain([format!("r.{key}")]).collect();
        Self { columns, descends: direction == Direction::Descending, may_be_absent, needs_joins, after }
    }

    fn direction(&self) -> Direction {
        if self.descends { Direction::Descending } else { Direction::Ascending }
    }

    /// What is selected of the chosen rows, after the columns of the record, so that they can be sorted again.
    pub(super) fn sorted_by(&self) -> String {
        match self.columns.as_slice() {
            [value, ..] if self.may_be_absent => format!(", {value} AS {SORTED_BY}"),
            _ => String::new(),
        }
    }

    /// Whether rows can be sorted only with what is joined to them.
    pub(super) fn needs_joins(&self) -> bool {
        self.needs_joins
    }

    /// Whether it begins with the first row of all.
    pub(super) fn is_first_page(&self) -> bool {
        self.after.is_empty()
    }

    /// The clause that orders by these columns.
    fn by(&self, columns: &[&str]) -> String {
        let (word, _) = self.direction().words();
        let columns: Vec<String> = columns.iter().map(|column| format!("{column} {word}")).collect();
        if columns.is_empty() { String::new() } else { format!(" ORDER BY {}", columns.join(", ")) }
    }

    /// The clause for the chosen rows of all ranges together.
    pub(super) fn by_of_chosen(&self) -> String {
        let (word, _) = self.direction().words();
        match self.columns.as_slice() {
            [_, key] if self.may_be_absent => {
                format!(" ORDER BY r.{SORTED_BY} {word} NULLS LAST, {key} {word}")
            }
            columns => self.by(&columns.iter().map(String::as_str).collect::<Vec<_>>()),
        }
    }

    /// The rows of the page, in their order. Rows with a value and rows without one are separate
    /// ranges: each is one range of an index on the value and the key, in either direction, which a condition with OR
    /// would not be.
    pub(super) fn ranges(&self, engine: Engine, text: &mut Text<'q>) -> Vec<Range> {
        let columns: Vec<&str> = self.columns.iter().map(String::as_str).collect();
        let (value, key) = match columns.as_slice() {
            [value, key] if self.may_be_absent => (*value, *key),
            _ => {
                let condition = self.follows(&columns, &self.after, text);
                return vec![Range { condition, order: self.by(&columns) }];
            }
        };
        // In the order of the index, as each engine sees it: SQLite does not see that rows without a value are equal in it, and
        // PostgreSQL not that they are therefore in the order of their keys.
        let in_order = match engine {
            Engine::Sqlite => self.by(&[key]),
            Engine::Postgres => self.by(&columns),
        };
        let without = |condition| Range { condition, order: in_order.clone() };
        let (present, absent) =
            (format!(" AND {value} {}", has_value(engine)), format!(" AND {value} IS NULL"));
        match self.after.as_slice() {
            [Value::Null, number] => {
                vec![without(absent + &self.follows(&[key], std::slice::from_ref(number), text))]
            }
            after => {
                let condition = present + &self.follows(&columns, after, text);
                vec![Range { condition, order: self.by(&columns) }, without(absent)]
            }
        }
    }

    /// The condition that a row comes after the one with these values.
    fn follows(&self, columns: &[&str], after: &[Value<'q>], text: &mut Text<'q>) -> String {
        let (_, follows) = self.direction().words();
        let places: Vec<String> = after.iter().map(|value| text.add(value.clone())).collect();
        match (columns, places.as_slice()) {
            (_, []) => String::new(),
            ([column], [place]) => format!(" AND {column} {follows} {place}"),
            _ => format!(" AND ({}) {follows} ({})", columns.join(", "), places.join(", ")),
        }
    }
}

/// The condition that a row has the value, for the beginning of a range of an index. Values are integers in SQLite, which would
/// pass over every row without one for `IS NOT NULL`.
fn has_value(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => ">= -9223372036854775807",
        Engine::Postgres => "IS NOT NULL",
    }
}
