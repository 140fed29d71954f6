//! What is sent to change many risks at once.

use std::borrow::Cow;

use domain::bulk::BulkOperation;
use domain::risk::RiskPatch;
use domain::{Actor, Faults, json};
use http::json::Json;
use serde_json::json;
use store::risks::BulkChange;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};

use super::bulk::{self, DeleteInput, TagOperation, UntagOperation};
use super::filter_object::{self, FilterValueInput};
use super::risk_filter;

domain::words! {
    "RiskBulkOperationType"
    /// What is done to each risk.
    enum OperationType {
        /// Its fields change, as by a merge patch.
        Update = "update",
        /// It gets a tag.
        Tag = "tag",
        /// It loses a tag.
        Untag = "untag",
        /// It is deleted.
        Delete = "delete",
    }
}

/// A change of many risks: those with these `ids`, or those that the list with this `filter` has.
#[derive(ToSchema)]
#[schema(as = RiskBulk)]
#[expect(dead_code, reason = "describes the body, which `read` reads")]
pub struct BulkInput {
    /// Numbers, or ids such as `RSK-42`. Duplicates count once. Not with `filter`.
    #[schema(max_items = 10000)]
    ids: Option<Vec<IdInput>>,
    /// The filters of `GET /v1/risks`, each a value or a list of values; without one it is every risk. It may match 10,000. Not
    /// with `ids`.
    filter: Option<BulkFilterInput>,
    /// What is done to each.
    operation: BulkOperationInput,
    /// Whether to say what would happen, and change nothing.
    #[schema(default = false)]
    dry_run: Option<bool>,
    /// Whether to change nothing if a rule forbids one of the changes.
    #[schema(default = false)]
    atomic: Option<bool>,
}

/// An id of a risk.
#[derive(ToSchema)]
#[schema(as = RiskId)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes the body")]
enum IdInput {
    /// The number.
    Number(i64),
    /// `RSK-` and the number.
    Text(String),
}

/// The filters of `GET /v1/risks`.
struct BulkFilterInput;

impl PartialSchema for BulkFilterInput {
    fn schema() -> RefOr<Schema> {
        let example = json!({"status": "open", "category": ["continuity"]});
        filter_object::of_parameters::<risk_filter::RiskFilterParams>(
            "The filters of `GET /v1/risks`.",
            example,
        )
    }
}

impl ToSchema for BulkFilterInput {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("RiskBulkFilter")
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((FilterValueInput::name().into_owned(), FilterValueInput::schema()));
    }
}

/// What is done to each risk, with the members of the operation on one.
#[derive(ToSchema)]
#[schema(as = RiskOperation)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(dead_code, reason = "describes the body, which `operation` reads")]
enum BulkOperationInput {
    Update(Box<BulkUpdateInput>),
    Tag(TagOperation),
    Untag(UntagOperation),
    Delete(DeleteInput),
}

/// A merge patch, as in `PATCH /v1/risks/{risk_id}`.
#[derive(ToSchema)]
#[schema(as = RiskUpdateOperation)]
#[expect(dead_code, reason = "describes the body")]
struct BulkUpdateInput {
    #[serde(flatten)]
    members: RiskPatch,
}

/// Reads a change of many risks, and whether it is a dry run; `caller` is who `me` means in the filter.
pub fn read(body: Json<'_>, caller: &Actor, faults: &mut Faults) -> Option<(BulkChange, bool)> {
    bulk::read(body, faults, |query| risk_filter::read(query, caller), operation)
}

/// Reads an operation from the members of the operation on one risk.
fn operation(
    operation: OperationType,
    members: Json<'_>,
    faults: &mut Faults,
) -> Option<BulkOperation<RiskPatch>> {
    match operation {
        OperationType::Update => {
            json::body(members, faults).map(|patch| BulkOperation::Change(Box::new(patch)))
        }
        OperationType::Tag => bulk::tag(members, faults),
        OperationType::Untag => bulk::untag(members, faults),
        OperationType::Delete => bulk::delete(members, faults),
    }
}
