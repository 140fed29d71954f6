//! What is sent to change many risks at once.

use domain::bulk::{BulkOperation, RISK_IDS, read_ids};
use domain::json::nested;
use domain::risk::RiskPatch;
use domain::saved_view::FILTER_VALUE;
use domain::schema::{Map, Schema};
use domain::tag::TagReference;
use domain::{Actor, FaultCode, Faults, RiskNumber};
use http::json::{Fields, Json};
use macros::Body;
use store::risks::{BulkChange, RiskFilter};

use super::risk_filter::{self, RiskFilterParams};
use super::{bulk, filter_object};

/// A change of many risks: those with these `ids`, or those that the list with this `filter` has.
#[derive(Body)]
#[body(with(caller: &Actor), check = bulk::check_target())]
pub struct RiskBulk {
    /// Numbers, or ids such as `RSK-42`. Duplicates count once. Not with `filter`.
    #[body(read = read_ids(RiskNumber::parse_any), schema = RISK_IDS, json = r#"["RSK-42"]"#)]
    ids: Option<Vec<RiskNumber>>,
    /// The filters of `GET /v1/risks`, each a value or a list of values; without one it is every risk. It may match 10,000. Not
    /// with `ids`.
    #[body(read = filter_object::read(|query| risk_filter::read(query, caller)), schema = FILTER)]
    filter: Option<RiskFilter>,
    /// What is done to each.
    #[body(read = nested, json = r#"{"type": "update", "owner": "0190163d-8694-739b-aea5-966c26f8ad91"}"#)]
    operation: RiskOperation,
    /// Whether to say what would happen, and change nothing.
    #[body(default = false)]
    dry_run: bool,
    /// Whether to change nothing if a rule forbids one of the changes.
    #[body(default = false)]
    atomic: bool,
}

const FILTER: Schema = Schema::Map(&Map {
    name: "RiskBulkFilter",
    about: "The filters of `GET /v1/risks`.",
    names: Some(filter_object::names::<RiskFilterParams>),
    of: &FILTER_VALUE,
    is_nullable: false,
    example: r#"{"status": "open", "category": ["continuity"]}"#,
});

/// What is done to each risk, with the members of the operation on one.
#[derive(Body)]
#[body(tag = "type")]
#[expect(clippy::large_enum_variant, reason = "it is taken apart at once")]
enum RiskOperation {
    /// A merge patch, as in `PATCH /v1/risks/{risk_id}`, without `external_ref`.
    #[body(name = "RiskUpdateOperation", check = check_update(members))]
    Update {
        #[body(flat)]
        members: RiskPatch,
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
    /// Nothing more is said.
    #[body(name = "DeleteOperation")]
    Delete {},
}

/// Reads a change of many risks, and whether it is a dry run; `caller` is who `me` means in the filter.
pub fn read(body: Json<'_>, caller: &Actor, faults: &mut Faults) -> Option<(BulkChange, bool)> {
    let RiskBulk { ids, filter, operation, dry_run, atomic } = RiskBulk::read(body, caller, faults)?;
    Some((bulk::change(ids, filter, operation.into(), atomic)?, dry_run))
}

fn check_update(fields: &mut Fields<'_, '_>, patch: Option<&RiskPatch>) {
    if patch.is_some_and(|patch| patch.external_ref.is_sent()) {
        fields.fault("external_ref", FaultCode::UnknownField, "belongs to one risk only");
    }
}

impl From<RiskOperation> for BulkOperation<RiskPatch> {
    fn from(operation: RiskOperation) -> Self {
        match operation {
            RiskOperation::Update { members } => Self::Change(Box::new(members)),
            RiskOperation::Tag { tag } => Self::Tag(tag.tag_id),
            RiskOperation::Untag { tag } => Self::Untag(tag.tag_id),
            RiskOperation::Delete {} => Self::Delete,
        }
    }
}
