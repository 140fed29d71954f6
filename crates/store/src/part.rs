//! Records that are part of another one, such as the tasks of an incident. They have no entries of their own: the entries of
//! the record that they belong to tell of them, each field with a prefix, such as `tasks/3/title`.

use std::collections::HashMap;

use db::{Param, Tx};
use domain::OrgId;
use jiff::Timestamp;
use serde_json::{Value as Json, json};

use crate::dialect::{numbers_parameter, wanted_numbers};
use crate::error::Result;
use crate::journal::Payload;
use crate::record::{self, Record, Statements, Stored};
use crate::verify::recorded::{Link, Made, PartState};

/// A part of a record with a number.
pub(crate) trait Part: Record {
    /// What its fields begin with in entries, such as `tasks`.
    const PREFIX: &'static str;
    /// The column with the number of the record that it belongs to.
    const WHOLE: &'static str;

    /// The number of the record that it belongs to.
    fn whole(&self) -> i64;

    /// Its id among the parts of that record.
    fn id(&self) -> String;

    /// The entry of its latest change, and the one that made it.
    fn entries(&self) -> (i64, i64);

    /// When it was made, and by whom.
    fn made(&self) -> Made;

    /// Its version and when it was last changed, if it keeps both: each entry about it is one version.
    fn version(&self) -> Option<(i64, Timestamp)>;

    /// Whether the versions of all parts of this kind that a record has count together.
    const IS_COUNTED_TOGETHER: bool = false;
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
    let Statements { unnamed_columns, .. } = P::statements();
    let sql = format!(
        "SELECT {unnamed_columns} FROM {} AS r
         WHERE r.organization = $1 AND r.{} IN (SELECT wanted.number FROM {})",
        P::TABLE,
        P::WHOLE,
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(numbers.iter().copied());
    let params: [&dyn Param; 2] = [&organization.uuid(), &numbers];
    let rows: Vec<Stored<P>> = tx.query(&sql, &params).await?;
    for Stored(part) in rows {
        let (name, (seq, seq_from)) = (name(&part), part.entries());
        let whole = parts.entry(part.whole()).or_default();
        whole.seq = whole.seq.max(seq);
        let fields = record::journaled(&part).map(|(field, value)| (format!("{name}/{field}"), value));
        whole.fields.extend(fields);
        whole.fields.insert(name.clone(), json!(true));
        if let Some((version, updated)) = part.version() {
            let counted_with = P::IS_COUNTED_TOGETHER.then_some(P::PREFIX);
            whole.states.push(PartState { name: name.clone(), counted_with, version, updated, seq });
        }
        whole.links.push(Link { field: name, seq_from, seq_to: None, made: Some(part.made()) });
    }
    Ok(())
}
