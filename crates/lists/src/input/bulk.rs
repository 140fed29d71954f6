//! What is sent to change many records at once, whatever kind they are.

use domain::bulk::{self, BulkOperation};
use domain::tag::TagReference;
use domain::{FaultCode, Faults, RecordNumber, Word, json};
use http::json::{Fields, FromJson, Json, Pointer, array, items_of, wrong_type};
use http::query::Query;
use http::word::word;
use macros::Body;
use store::bulk::{BulkChange, Target, Writes};
use utoipa::ToSchema;

use super::filter_object;

/// The tag to put on.
#[derive(Body)]
pub(super) struct TagOperation {
    #[body(flat)]
    tag: TagReference,
}

/// The tag to take off.
#[derive(Body)]
pub(super) struct UntagOperation {
    #[body(flat)]
    tag: TagReference,
}

/// Nothing more is said.
#[derive(ToSchema)]
#[schema(as = DeleteOperation)]
pub(crate) struct DeleteInput {}

/// Reads a change of many records, and whether it is a dry run. `filter` reads the filters of their list, and `operation` what
/// is done to each, whose type is a word `W`, from the members of the operation on one.
pub(super) fn read<N: RecordNumber, F, P, W: Word>(
    body: Json<'_>,
    faults: &mut Faults,
    filter: impl FnOnce(&mut Query<'_>) -> F,
    operation: impl FnOnce(W, Json<'_>, &mut Faults) -> Option<BulkOperation<P>>,
) -> Option<(BulkChange<N, F, P>, bool)> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let (mut has_ids, mut has_filter) = (false, false);
    let named = fields.optional_with("ids", |value, at, faults| {
        has_ids = true;
        ids(value, at, faults, N::parse_any)
    });
    let filter = fields.optional_with("filter", |value, at, faults| {
        has_filter = true;
        let pairs = filter_object::pairs(value, at, faults)?;
        filter_object::query(&pairs, at, faults, filter)
    });
    let operation = fields.required_with("operation", |value, _, faults| {
        let mut inner = Faults::new();
        let read = typed(value, operation, &mut inner);
        faults.extend(inner.within("#/operation"));
        read.filter(|_| inner.is_empty())
    });
    let is_dry_run = fields.optional("dry_run").unwrap_or_default();
    let is_atomic: bool = fields.optional("atomic").unwrap_or_default();
    let writes = if is_atomic { Writes::One } else { Writes::Several };
    let target = named.map(Target::Ids).or(filter.map(|filter| Target::Filter(Box::new(filter))));
    if has_ids && has_filter {
        fields.faults().add("#/filter", FaultCode::Conflict, "cannot be sent together with ids");
    } else if !has_ids && !has_filter {
        fields.faults().add("#/ids", FaultCode::Required, "is required, or a filter");
    }
    fields.finish();
    Some((BulkChange { target: target?, operation: operation?, writes }, is_dry_run))
}

/// Reads a list of ids: numbers, and texts by `parse`.
pub(super) fn ids<N: RecordNumber>(
    value: Json<'_>,
    at: &Pointer<'_>,
    faults: &mut Faults,
    parse: fn(&str) -> Option<N>,
) -> Option<Vec<N>> {
    let items = array(value, at, faults)?;
    if items.len() > bulk::MAX_IDS {
        // The faults of so many ids are not listed.
        bulk::ids_count(items.len(), at, faults);
        return None;
    }
    items_of(items, at, faults, |item, at, faults| match item {
        Json::String(text) => bulk::record_id(&text, at, faults, parse),
        Json::Integer(_) | Json::Number(_) => i64::from_json(item, at, faults).map(N::of),
        other => {
            wrong_type(&other, "an integer or a string", at, faults);
            None
        }
    })
}

/// Reads the type of an operation, and the operation from the other members.
fn typed<P, W: Word>(
    value: Json<'_>,
    read: impl FnOnce(W, Json<'_>, &mut Faults) -> Option<BulkOperation<P>>,
    faults: &mut Faults,
) -> Option<BulkOperation<P>> {
    let Json::Object(mut members) = value else {
        let sent = value.type_name();
        faults.add("#", FaultCode::Type, format_args!("must be an object, not {sent}"));
        return None;
    };
    let Some(place) = members.iter().position(|(name, _)| name == "type") else {
        faults.add("#/type", FaultCode::Required, "is required");
        return None;
    };
    let (_, named) = members.swap_remove(place);
    // A second one is a fault of the text already.
    members.retain(|(name, _)| name != "type");
    if matches!(named, Json::Null) {
        faults.add("#/type", FaultCode::Required, "is required");
        return None;
    }
    let operation: W = word(named, &Pointer::ROOT.key("type"), faults)?;
    read(operation, Json::Object(members), faults)
}

/// Reads the tag to put on.
pub(super) fn tag<P>(body: Json<'_>, faults: &mut Faults) -> Option<BulkOperation<P>> {
    json::body(body, faults).map(|TagOperation { tag }| BulkOperation::Tag(tag.tag_id))
}

/// Reads the tag to take off.
pub(super) fn untag<P>(body: Json<'_>, faults: &mut Faults) -> Option<BulkOperation<P>> {
    json::body(body, faults).map(|UntagOperation { tag }| BulkOperation::Untag(tag.tag_id))
}

/// Reads a deletion, which says nothing more.
pub(super) fn delete<P>(body: Json<'_>, faults: &mut Faults) -> Option<BulkOperation<P>> {
    Fields::of(body, Pointer::ROOT, faults)?.finish();
    Some(BulkOperation::Delete)
}
