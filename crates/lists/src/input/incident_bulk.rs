//! What is sent to change many incidents at once.

use std::borrow::Cow;

use domain::bulk::BulkOperation;
use domain::incident::{IncidentPatch, Transition};
use domain::{Actor, FaultCode, Faults, UserId, json};
use http::json::{Fields, Json, Pointer};
use serde_json::json;
use store::incidents::BulkChange;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use super::bulk::{DeleteInput, TagOperation, UntagOperation};
use super::filter_object::{self, FilterValueInput};
use super::incidents::IdInput;
use super::{bulk, incident_filter};

domain::words! {
    "BulkOperationType"
    /// What is done to each incident.
    enum OperationType {
        /// Its status changes, as by a transition.
        Transition = "transition",
        /// Its fields change, as by a merge patch.
        Update = "update",
        /// It is assigned.
        Assign = "assign",
        /// It gets a tag.
        Tag = "tag",
        /// It loses a tag.
        Untag = "untag",
        /// It is deleted.
        Delete = "delete",
        /// Only some see it.
        Restrict = "restrict",
    }
}

/// A change of many incidents: those with these `ids`, or those that the list with this `filter` has.
#[derive(ToSchema)]
#[schema(as = IncidentBulk)]
#[expect(dead_code, reason = "describes the body, which `read` reads")]
pub struct BulkInput {
    /// Numbers, or ids such as `INC-0042`. Duplicates count once. Not with `filter`.
    #[schema(max_items = 10000)]
    ids: Option<Vec<IdInput>>,
    /// The filters of `GET /v1/incidents`, each a value or a list of values; without one it is every incident. It may match
    /// 10,000. Not with `ids`.
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

/// The filters of `GET /v1/incidents`.
struct BulkFilterInput;

impl PartialSchema for BulkFilterInput {
    fn schema() -> RefOr<Schema> {
        let example = json!({"status": ["new"], "source": "SIEM"});
        filter_object::of_parameters::<incident_filter::IncidentFilterParams>(
            "The filters of `GET /v1/incidents`.",
            example,
        )
    }
}

impl ToSchema for BulkFilterInput {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("IncidentBulkFilter")
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((FilterValueInput::name().into_owned(), FilterValueInput::schema()));
    }
}

/// What is done to each incident, with the members of the operation on one.
#[derive(ToSchema)]
#[schema(as = IncidentOperation)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(dead_code, reason = "describes the body, which `operation` reads")]
enum BulkOperationInput {
    Transition(BulkTransitionInput),
    Update(Box<BulkUpdateInput>),
    Assign(AssignInput),
    Tag(TagOperation),
    Untag(UntagOperation),
    Delete(DeleteInput),
    Restrict(RestrictInput),
}

/// The next status, as in `POST /v1/incidents/{id}/transitions`.
#[derive(ToSchema)]
#[schema(as = TransitionOperation)]
#[expect(dead_code, reason = "describes the body")]
struct BulkTransitionInput {
    #[serde(flatten)]
    members: Transition,
}

/// A merge patch, as in `PATCH /v1/incidents/{id}`, without `external_ref`.
#[derive(ToSchema)]
#[schema(as = UpdateOperation)]
#[expect(dead_code, reason = "describes the body")]
struct BulkUpdateInput {
    #[serde(flatten)]
    members: IncidentPatch,
}

/// The assignee.
#[derive(ToSchema)]
#[schema(as = AssignOperation)]
#[expect(dead_code, reason = "describes the body")]
struct AssignInput {
    /// The id of a member; null: nobody.
    #[schema(required = true)]
    assigned_to: Option<Uuid>,
}

/// Who sees them.
#[derive(ToSchema)]
#[schema(as = RestrictOperation)]
#[expect(dead_code, reason = "describes the body")]
struct RestrictInput {
    /// Whether only their readers and those who work on them see them.
    #[schema(default = true)]
    restricted: Option<bool>,
    /// The ids of the members who see them then; they stay as they are without this member.
    #[schema(max_items = 50)]
    readers: Option<Vec<Uuid>>,
}

/// Reads a change of many incidents, and whether it is a dry run; `caller` is who `me` means in the filter.
pub fn read(body: Json<'_>, caller: &Actor, faults: &mut Faults) -> Option<(BulkChange, bool)> {
    bulk::read(body, faults, |query| incident_filter::read(query, caller), operation)
}

/// Reads an operation from the members of the operation on one incident.
fn operation(
    operation: OperationType,
    members: Json<'_>,
    faults: &mut Faults,
) -> Option<BulkOperation<IncidentPatch>> {
    let change = |patch: IncidentPatch| BulkOperation::Change(Box::new(patch));
    match operation {
        OperationType::Transition => {
            json::body::<Transition>(members, faults).map(|sent| change(sent.into()))
        }
        OperationType::Update => update(members, faults).map(change),
        OperationType::Assign => assign(members, faults).map(change),
        OperationType::Tag => bulk::tag(members, faults),
        OperationType::Untag => bulk::untag(members, faults),
        OperationType::Delete => bulk::delete(members, faults),
        OperationType::Restrict => restrict(members, faults).map(change),
    }
}

fn update(body: Json<'_>, faults: &mut Faults) -> Option<IncidentPatch> {
    let patch: IncidentPatch = json::body(body, faults)?;
    if patch.external_ref.is_sent() {
        faults.add("#/external_ref", FaultCode::UnknownField, "belongs to one incident only");
    }
    Some(patch)
}

fn assign(body: Json<'_>, faults: &mut Faults) -> Option<IncidentPatch> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let assigned_to: Option<Option<UserId>> = fields.patch("assigned_to");
    if assigned_to.is_none() && fields.faults().is_empty() {
        fields.faults().add("#/assigned_to", FaultCode::Required, "is required; null is nobody");
    }
    fields.finish();
    Some(IncidentPatch { assigned_to: assigned_to?.into(), ..IncidentPatch::default() })
}

fn restrict(body: Json<'_>, faults: &mut Faults) -> Option<IncidentPatch> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let restricted = Some(fields.optional("restricted").unwrap_or(true));
    let readers = fields.optional("readers");
    fields.finish();
    Some(IncidentPatch { restricted, readers, ..IncidentPatch::default() })
}
