//! What is sent to change many documents at once.

use domain::acknowledgement::NewAcknowledgementRequest;
use domain::document::{PropertiesPatch, SLUGS, read_slugs};
use domain::json::nested;
use domain::saved_view::FILTER_VALUE;
use domain::schema::{Map, Schema};
use domain::tag::TagReference;
use domain::{Actor, FaultCode, Faults};
use http::json::{Fields, Json};
use macros::Body;
use store::bulk::Target;
use store::document_bulk::{BulkChange, Operation};
use store::proposals::AskedDocuments;

use super::document_filter::{self, DocumentFilterParams};
use super::{bulk, filter_object};

/// A change of many documents: those with these `ids`, or those that the list with this `filter` has.
#[derive(Body)]
#[body(with(caller: &Actor), check = bulk::check_target())]
pub struct DocumentBulk {
    /// Slugs, at most 500. Duplicates count once. Not with `filter`.
    #[body(read = read_slugs, schema = SLUGS, json = r#"["access-control"]"#)]
    ids: Option<Vec<String>>,
    /// The filters of `GET /v1/documents`, each a value or a list of values; without one it is every document. It may match 500.
    /// Not with `ids`.
    #[body(read = filter_object::read(|query| document_filter::read(query, caller)), schema = FILTER)]
    filter: Option<AskedDocuments>,
    /// What is done to each.
    #[body(read = nested, json = r#"{"type": "request_acknowledgements", "who": "all", "due_days": 14}"#)]
    operation: DocumentOperation,
    /// Whether to say what would happen, and change nothing.
    #[body(default = false)]
    dry_run: bool,
    /// Whether to change nothing if a rule forbids one of the changes.
    #[body(default = false)]
    atomic: bool,
}

const FILTER: Schema = Schema::Map(&Map {
    name: "DocumentBulkFilter",
    about: "The filters of `GET /v1/documents`.",
    names: Some(filter_object::names::<DocumentFilterParams>),
    of: &FILTER_VALUE,
    is_nullable: false,
    example: r#"{"status": "published"}"#,
});

/// What is done to each document, with the members of the operation on one.
#[derive(Body)]
#[body(tag = "type")]
enum DocumentOperation {
    /// A merge patch, as in `PATCH /v1/documents/{id}/properties`. Its `tags` are refused (`read_only`): `tag` and `untag` change
    /// them.
    #[body(name = "DocumentUpdateOperation", check = no_tags())]
    Update {
        #[body(flat)]
        members: PropertiesPatch,
    },
    /// The tag to put on.
    #[body(name = "TagOperation")]
    Tag {
        #[body(flat)]
        tag: TagReference,
    },
    /// The tag to take off.
    #[body(name = "UntagOperation")]
    Untag {
        #[body(flat)]
        tag: TagReference,
    },
    /// Whom to ask to acknowledge its newest version, as in `POST …/versions/{number}/acknowledgement-requests`.
    #[body(name = "RequestAcknowledgementsOperation")]
    RequestAcknowledgements {
        #[body(flat)]
        members: NewAcknowledgementRequest,
    },
}

fn no_tags(fields: &mut Fields<'_, '_>) {
    if fields.was_sent("tags") {
        let detail = "is not changed of many documents: `tag` puts one on and `untag` takes one off";
        fields.fault("tags", FaultCode::ReadOnly, detail);
    }
}

/// Reads a change of many documents, and whether it is a dry run; `caller` is who `me` means in the filter.
pub fn read(body: Json<'_>, caller: &Actor, faults: &mut Faults) -> Option<(BulkChange, bool)> {
    let DocumentBulk { ids, filter, operation, dry_run, atomic } = DocumentBulk::read(body, caller, faults)?;
    let target = ids.map(Target::Ids).or(filter.map(|filter| Target::Filter(Box::new(filter))))?;
    let operation = match operation {
        DocumentOperation::Update { members } => Operation::Update(Box::new(members)),
        DocumentOperation::Tag { tag } => Operation::Tag(tag.tag_id),
        DocumentOperation::Untag { tag } => Operation::Untag(tag.tag_id),
        DocumentOperation::RequestAcknowledgements { members } => Operation::Ask(Box::new(members)),
    };
    Some((BulkChange { target, operation, is_atomic: atomic }, dry_run))
}
