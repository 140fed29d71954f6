//! Bulk operations: what is done to many records, what became of each, and the checks of their ids.

use std::collections::HashSet;
use std::fmt::Display;

use macros::Body;

use crate::error::Error;
use crate::fault::{FaultCode, Faults};
use crate::ids::{IncidentNumber, RecordNumber, TagId};
use crate::json::{FromJson as _, Json, Pointer, array, items_of, wrong_type};
use crate::schema::{OneOf, Schema};

/// The most ids of one bulk operation.
pub const MAX_IDS: usize = 10_000;

/// The ids of incidents.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(with(parse: fn(&str) -> Option<IncidentNumber>))]
pub struct IncidentIds {
    /// Numbers, or ids such as `INC-0042`. Duplicates count once.
    #[body(read = read_ids(parse), schema = INCIDENT_IDS, json = r#"[1, "INC-0002"]"#)]
    pub ids: Vec<IncidentNumber>,
}

/// What a list of ids of incidents looks like.
pub const INCIDENT_IDS: Schema = Schema::List { of: &INCIDENT_ID, least: 0, most: MAX_IDS };

/// What a list of ids of risks looks like.
pub const RISK_IDS: Schema = Schema::List { of: &RISK_ID, least: 0, most: MAX_IDS };

const NUMBER: (&str, Schema) = ("The number.", Schema::Integer(i64::MIN, i64::MAX));

const INCIDENT_ID: Schema = Schema::OneOf(&OneOf {
    name: "IncidentId",
    about: "An id of an incident.",
    choices: &[NUMBER, ("`INC-` and the number.", text_of("^INC-[0-9]{1,19}$"))],
});

const RISK_ID: Schema = Schema::OneOf(&OneOf {
    name: "RiskId",
    about: "An id of a risk.",
    choices: &[NUMBER, ("`RSK-` and the number.", text_of("^RSK-[0-9]{1,19}$"))],
});

const fn text_of(pattern: &'static str) -> Schema {
    Schema::text(0, 23, pattern)
}

/// Reads a list of ids: numbers, and texts by `parse`.
pub fn read_ids<N: RecordNumber>(
    value: Json<'_>,
    at: &Pointer<'_>,
    faults: &mut Faults,
    parse: fn(&str) -> Option<N>,
) -> Option<Vec<N>> {
    let items = array(value, at, faults)?;
    if items.len() > MAX_IDS {
        // The faults of so many ids are not listed.
        faults.add(at, FaultCode::TooMany, format_args!("must have at most {MAX_IDS} ids"));
        return None;
    }
    items_of(items, at, faults, |item, at, faults| match item {
        Json::String(text) => record_id(&text, at, faults, parse),
        Json::Integer(_) | Json::Number(_) => i64::from_json(item, at, faults).map(N::of),
        other => {
            wrong_type(&other, "an integer or a string", at, faults);
            None
        }
    })
}

/// Reads an id that was sent as a string, such as `INC-0042`.
fn record_id<N: RecordNumber>(
    text: &str,
    pointer: impl Display,
    faults: &mut Faults,
    parse: fn(&str) -> Option<N>,
) -> Option<N> {
    let number = parse(text);
    if number.is_none() {
        let detail = format_args!("must be a number, or {} and a number", N::PREFIX);
        faults.add(pointer, FaultCode::Format, detail);
    }
    number
}

/// Each id once, in the order in which they first appear.
pub fn distinct<N: RecordNumber>(ids: &[N]) -> Vec<N> {
    let mut seen = HashSet::with_capacity(ids.len());
    ids.iter().copied().filter(|id| seen.insert(*id)).collect()
}

/// How an id that was not found is written: `INC-0042`, and a number that no record can have as its
/// decimal text.
pub fn not_found_text(id: impl RecordNumber) -> String {
    if id.number() < 1 { id.number().to_string() } else { id.to_string() }
}

/// What a bulk operation did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BulkOutcome {
    /// How many records it changed.
    pub changed_count: i64,
    /// The ids that were not found, once each, in the order sent.
    pub not_found: Vec<IncidentNumber>,
}

/// What is done to each of many records, which a patch `P` changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BulkOperation<P> {
    /// It is changed, by the rules of a single change.
    Change(Box<P>),
    /// It gets this tag.
    Tag(TagId),
    /// It loses this tag.
    Untag(TagId),
    /// It is deleted.
    Delete,
}

/// The outcome for one of many records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemOutcome {
    /// It was changed.
    Changed,
    /// It is already as it was to become.
    Unchanged,
    /// The change was refused.
    Failed(Error),
    /// It does not exist, is deleted, or the caller may not see it.
    NotFound,
}

/// One record of a bulk operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemResult<N> {
    /// Its number.
    pub id: N,
    /// What became of it.
    pub outcome: ItemOutcome,
}

/// The results, unless all or nothing was asked for and a rule forbids one of the changes.
pub fn all_or_nothing<N: Display>(results: Vec<ItemResult<N>>) -> crate::Result<Vec<ItemResult<N>>> {
    let failed = results.iter().filter_map(|it| match &it.outcome {
        ItemOutcome::Failed(error) => Some((it.id.to_string(), error.clone())),
        _ => None,
    });
    let failed: Vec<(String, Error)> = failed.collect();
    if failed.is_empty() { Ok(results) } else { Err(Error::BulkFailed(failed)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::RiskNumber;

    #[test]
    fn duplicates_count_once_in_the_order_given() {
        let ids = [5, 3, 5, -1, 3, 0].map(IncidentNumber);
        assert_eq!(distinct(&ids), [5, 3, -1, 0].map(IncidentNumber));
    }

    #[test]
    fn an_integer_below_1_is_written_as_its_decimal_text() {
        let texts = [42, 123_456, 0, -7, i64::MIN].map(|id| not_found_text(IncidentNumber(id)));
        assert_eq!(texts, ["INC-0042", "INC-123456", "0", "-7", "-9223372036854775808"]);
    }

    #[test]
    fn a_string_is_a_prefix_and_digits() {
        let mut faults = Faults::new();
        assert_eq!(
            record_id("INC-42", "#/ids/0", &mut faults, IncidentNumber::parse_listed),
            Some(IncidentNumber(42))
        );
        assert_eq!(
            record_id("INC-0000", "#/ids/1", &mut faults, IncidentNumber::parse_listed),
            Some(IncidentNumber(0))
        );
        assert!(faults.is_empty());
        for text in ["42", "INC-", "inc-42", "INC--1", "RSK-1", "", "INC-9223372036854775808"] {
            assert_eq!(record_id(text, "#/ids/2", &mut faults, IncidentNumber::parse_listed), None, "{text}");
        }
        assert_eq!(faults.as_slice().len(), 7);
        for text in ["RSK-42", "RSK-042", "rsk-42", "42"] {
            assert_eq!(record_id(text, "#/ids/0", &mut faults, RiskNumber::parse_any), Some(RiskNumber(42)));
        }
        for text in ["RSK-", "RSK--1", "INC-0042"] {
            assert_eq!(record_id(text, "#/ids/2", &mut faults, RiskNumber::parse_any), None, "{text}");
        }
    }

    #[test]
    fn there_are_at_most_10_000_ids() {
        let read = |count| {
            let (ids, mut faults) = (Json::Array(vec![Json::Integer(1); count]), Faults::new());
            let read = read_ids(ids, Pointer::ROOT, &mut faults, IncidentNumber::parse_any);
            (read.map(|ids| ids.len()), faults.first().map(|fault| fault.code))
        };
        assert_eq!(read(10_000), (Some(10_000), None));
        assert_eq!(read(10_001), (None, Some(FaultCode::TooMany)));
    }
}
