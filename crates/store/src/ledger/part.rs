//! Records that are part of another one, such as the tasks of an incident. They have no entries of their own: the entries of
//! the record that they belong to tell of them, each field with a prefix, such as `tasks/3/title`.

use std::collections::HashMap;

use db::{FromRow, Param, Row, Tx};
use domain::OrgId;
use jiff::Timestamp;
use serde_json::{Value as Json, json};

use crate::ledger::dialect::{among, among_parameter};
use crate::ledger::error::Result;
use crate::ledger::journal::Payload;
use crate::ledger::record::{self, Reader, Record, Statements, Stored};
use crate::ledger::verify::recorded::{Link, Made, PartHistory, PartState, Version};

/// A part of a record with a number.
pub(crate) trait Part: Record {
    /// What its fields begin with in entries, such as `tasks`.
    const PREFIX: &'static str;
    /// The column with the number of the record that it belongs to.
    const WHOLE: &'static str = "incident";
    /// Whether the versions of all parts of this kind that a record has count together.
    const IS_COUNTED_TOGETHER: bool = false;

    /// The number of the record that it belongs to.
    fn whole(&self) -> i64;

    /// Its id among the parts of that record.
    fn id(&self) -> String;

    /// The entry of its latest change, and the one that made it.
    fn entries(&self) -> (i64, i64);

    /// When it was made, and by whom.
    fn made(&self) -> Made;

    /// Its version and when it was last changed, if it keeps both: each entry about it is one version. None if it has a
    /// history, which is compared with the entries state by state, or never changes.
    fn version(&self) -> Option<(i64, Timestamp)> {
        None
    }
}

/// Implements [`Part`] for a part of an incident, with what its entries call it.
macro_rules! part {
    ($part:ty as $prefix:literal |$it:ident| {
        id: $id:expr,
        entries: $entries:expr,
        made: ($at:expr, $by:expr),
        $(version: $version:expr,)?
    } $(is_counted_together: $together:literal)?) => {
        impl $crate::ledger::part::Part for $part {
            const PREFIX: &'static str = $prefix;
            $(const IS_COUNTED_TOGETHER: bool = $together;)?

            fn whole(&self) -> i64 {
                self.incident.number()
            }

            fn id(&self) -> String {
                let $it = self;
                $id.to_string()
            }

            fn entries(&self) -> (i64, i64) {
                let $it = self;
                $entries
            }

            fn made(&self) -> $crate::ledger::verify::recorded::Made {
                let $it = self;
                $crate::ledger::verify::recorded::Made::by($at, $by)
            }

            $(fn version(&self) -> Option<(i64, jiff::Timestamp)> {
                let $it = self;
                Some($version)
            })?
        }
    };
}

pub(crate) use part;

/// A part of which every state is kept.
pub(crate) trait PartWithHistory: Part {
    /// The version of this state, and when it began.
    fn state(&self) -> (i64, Timestamp);
}

/// The fields of an entry about a part: those that differ, before and after. A part that is made also notes itself, as
/// `tasks/3`.
pub(crate) fn changes<P: Part>(before: Option<&P>, after: &P) -> Payload {
    let name = name(after);
    let payload = match before {
        None => Payload::new().set(&name, true),
        Some(_) => Payload::new(),
    };
    let old = before.map(|before| record::journaled(before).collect::<HashMap<_, _>>());
    record::journaled(after).fold(payload, |payload, (field, new)| {
        let old = old.as_ref().and_then(|old| old.get(field));
        payload.change(&format!("{name}/{field}"), old, new)
    })
}

/// The number of the next part of one kind of a record. Parts that are deleted keep their row and the head is held, so no
/// number is used twice.
pub(crate) async fn next_number<P: Part>(tx: &mut Tx, organization: OrgId, whole: i64) -> Result<i64> {
    let (table, column) = (P::TABLE, P::WHOLE);
    let sql =
        format!("SELECT COALESCE(MAX(number), 0) + 1 FROM {table} WHERE organization = $1 AND {column} = $2");
    let (number,): (i64,) = tx.query_one(&sql, &[&organization.uuid(), &whole]).await?;
    Ok(number)
}

/// A part as entries name it.
fn name<P: Part>(part: &P) -> String {
    format!("{}/{}", P::PREFIX, part.id())
}

/// The parts of one record as they are held against its entries.
#[derive(Default)]
pub(crate) struct RecordedParts {
    pub(crate) fields: HashMap<String, Json>,
    pub(crate) links: Vec<Link>,
    pub(crate) states: Vec<PartState>,
    /// Every state of each part that has a history.
    pub(crate) histories: Vec<PartHistory>,
    /// The entry of the latest change of a part.
    pub(crate) seq: i64,
}

/// Adds the parts of one kind that belong to the records with these numbers.
pub(crate) async fn recorded<P: Part>(
    tx: &mut Tx,
    organization: OrgId,
    numbers: &[i64],
    parts: &mut HashMap<i64, RecordedParts>,
) -> Result<()> {
    for part in present::<P>(tx, organization, numbers).await? {
        add(&part, parts);
    }
    Ok(())
}

/// The same for parts with a history, with every state of each.
pub(crate) async fn recorded_with_history<P: PartWithHistory>(
    tx: &mut Tx,
    organization: OrgId,
    numbers: &[i64],
    parts: &mut HashMap<i64, RecordedParts>,
) -> Result<()> {
    let mut versions: HashMap<(i64, String), Vec<Version>> = HashMap::new();
    for Earlier(state, seq_to) in earlier::<P>(tx, organization, numbers).await? {
        let key = (state.whole(), name(&state));
        versions.entry(key).or_default().push(version(&state, Some(seq_to)));
    }
    for part in present::<P>(tx, organization, numbers).await? {
        let mut states = versions.remove(&(part.whole(), name(&part))).unwrap_or_default();
        states.push(version(&part, None));
        let whole = add(&part, parts);
        whole.histories.push(PartHistory { name: name(&part), versions: states });
    }
    Ok(())
}

/// Adds a part to those of its record.
fn add<'p, P: Part>(part: &P, parts: &'p mut HashMap<i64, RecordedParts>) -> &'p mut RecordedParts {
    let (name, (seq, seq_from)) = (name(part), part.entries());
    let whole = parts.entry(part.whole()).or_default();
    whole.seq = whole.seq.max(seq);
    whole.fields.extend(fields(part));
    whole.fields.insert(name.clone(), json!(true));
    if let Some((version, updated)) = part.version() {
        let counted_with = P::IS_COUNTED_TOGETHER.then_some(P::PREFIX);
        whole.states.push(PartState { name: name.clone(), counted_with, version, updated, seq });
    }
    whole.links.push(Link { field: name, seq_from, seq_to: None, made: Some(part.made()) });
    whole
}

/// The journaled fields of a part, as entries name them.
fn fields<P: Part>(part: &P) -> HashMap<String, Json> {
    let name = name(part);
    record::journaled(part).map(|(field, value)| (format!("{name}/{field}"), value)).collect()
}

fn version<P: PartWithHistory>(state: &P, seq_to: Option<i64>) -> Version {
    let ((number, updated), (seq_from, _)) = (state.state(), state.entries());
    Version { number, updated, seq_from, seq_to, fields: fields(state) }
}

/// The parts of the records with these numbers as they are.
async fn present<P: Part>(tx: &mut Tx, organization: OrgId, numbers: &[i64]) -> Result<Vec<P>> {
    let sql = of_records::<P>(tx, "", "");
    let numbers = among_parameter(tx.engine(), numbers.iter().copied());
    let params: [&dyn Param; 2] = [&organization.uuid(), &numbers];
    let rows: Vec<Stored<P>> = tx.query(&sql, &params).await?;
    Ok(rows.into_iter().map(|Stored(part)| part).collect())
}

/// Their earlier states, each part's in order.
async fn earlier<P: Part>(tx: &mut Tx, organization: OrgId, numbers: &[i64]) -> Result<Vec<Earlier<P>>> {
    let sql = of_records::<P>(tx, "_history", ", r.seq_to") + " ORDER BY r.seq_from";
    let numbers = among_parameter(tx.engine(), numbers.iter().copied());
    let params: [&dyn Param; 2] = [&organization.uuid(), &numbers];
    Ok(tx.query(&sql, &params).await?)
}

/// Selects the parts in the table, or in another one whose name ends with `suffix`, of the records with the numbers in `$2`.
fn of_records<P: Part>(tx: &Tx, suffix: &str, more_columns: &str) -> String {
    let Statements { unnamed_columns, .. } = P::statements();
    format!(
        "SELECT {unnamed_columns}{more_columns} FROM {}{suffix} AS r
         WHERE r.organization = $1 AND {}",
        P::TABLE,
        among(tx.engine(), &format!("r.{}", P::WHOLE), "$2")
    )
}

/// An earlier state, and the entry that ended it.
struct Earlier<P>(P, i64);

impl<P: Part> FromRow for Earlier<P> {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        let state = P::read(&mut row)?;
        Ok(Self(state, row.next()?))
    }
}
