//! What is sent to change many incidents at once.

use domain::bulk::{BulkOperation, INCIDENT_IDS, read_ids};
use domain::incident::{IncidentPatch, Transition};
use domain::json::nested;
use domain::saved_view::FILTER_VALUE;
use domain::schema::{Map, Schema};
use domain::tag::TagReference;
use domain::{Actor, Change, FaultCode, Faults, IncidentNumber, UserId};
use http::json::{Fields, Json};
use macros::Body;
use store::incidents::{BulkChange, IncidentFilter};

use super::incident_filter::{self, IncidentFilterParams};
use super::{bulk, filter_object};

/// A change of many incidents: those with these `ids`, or those that the list with this `filter` has.
#[derive(Body)]
#[body(with(caller: &Actor), check = bulk::check_target())]
pub struct IncidentBulk {
    /// Numbers, or ids such as `INC-0042`. Duplicates count once. Not with `filter`.
    #[body(read = read_ids(IncidentNumber::parse_any), schema = INCIDENT_IDS, json = r#"["INC-0042"]"#)]
    ids: Option<Vec<IncidentNumber>>,
    /// The filters of `GET /v1/incidents`, each a value or a list of values; without one it is every incident. It may match
    /// 10,000. Not with `ids`.
    #[body(read = filter_object::read(|query| incident_filter::read(query, caller)), schema = FILTER)]
    filter: Option<IncidentFilter>,
    /// What is done to each.
    #[body(read = nested, json = r#"{"type": "transition", "to": "dismissed", "resolution_reason": "false_positive"}"#)]
    operation: IncidentOperation,
    /// Whether to say what would happen, and change nothing.
    #[body(default = false)]
    dry_run: bool,
    /// Whether to change nothing if a rule forbids one of the changes.
    #[body(default = false)]
    atomic: bool,
}

const FILTER: Schema = Schema::Map(&Map {
    name: "IncidentBulkFilter",
    about: "The filters of `GET /v1/incidents`.",
    names: Some(filter_object::names::<IncidentFilterParams>),
    of: &FILTER_VALUE,
    is_nullable: false,
    example: r#"{"status": ["new"], "source": "SIEM"}"#,
});

/// What is done to each incident, with the members of the operation on one.
#[derive(Body)]
#[body(tag = "type")]
#[expect(clippy::large_enum_variant, reason = "it is taken apart at once")]
enum IncidentOperation {
    /// The next status, as in `POST /v1/incidents/{id}/transitions`.
    #[body(name = "TransitionOperation")]
    Transition {
        #[body(flat)]
        members: Transition,
    },
    /// A merge patch, as in `PATCH /v1/incidents/{id}`, without `external_ref`.
    #[body(name = "UpdateOperation", check = check_update(members))]
    Update {
        #[body(flat)]
        members: IncidentPatch,
    },
    /// The assignee.
    #[body(name = "AssignOperation")]
    Assign {
        /// The id of a member; null: nobody.
        assigned_to: Change<UserId>,
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
    /// Who sees them.
    #[body(name = "RestrictOperation")]
    Restrict {
        /// Whether only their readers and those who work on them see them.
        #[body(default = true)]
        restricted: bool,
        /// The ids of the members who see them then; they stay as they are without this member.
        #[body(most = 50)]
        readers: Option<Vec<UserId>>,
    },
}

/// Reads a change of many incidents, and whether it is a dry run; `caller` is who `me` means in the filter.
pub fn read(body: Json<'_>, caller: &Actor, faults: &mut Faults) -> Option<(BulkChange, bool)> {
    let IncidentBulk { ids, filter, operation, dry_run, atomic } = IncidentBulk::read(body, caller, faults)?;
    Some((bulk::change(ids, filter, operation.into(), atomic)?, dry_run))
}

fn check_update(fields: &mut Fields<'_, '_>, patch: Option<&IncidentPatch>) {
    if patch.is_some_and(|patch| patch.external_ref.is_sent()) {
        fields.fault("external_ref", FaultCode::UnknownField, "belongs to one incident only");
    }
}

impl From<IncidentOperation> for BulkOperation<IncidentPatch> {
    fn from(operation: IncidentOperation) -> Self {
        let change = |patch: IncidentPatch| Self::Change(Box::new(patch));
        match operation {
            IncidentOperation::Transition { members } => change(members.into()),
            IncidentOperation::Update { members } => change(members),
            IncidentOperation::Assign { assigned_to } => {
                change(IncidentPatch { assigned_to, ..IncidentPatch::default() })
            }
            IncidentOperation::Tag { tag } => Self::Tag(tag.tag_id),
            IncidentOperation::Untag { tag } => Self::Untag(tag.tag_id),
            IncidentOperation::Delete {} => Self::Delete,
            IncidentOperation::Restrict { restricted, readers } => {
                change(IncidentPatch { restricted: Some(restricted), readers, ..IncidentPatch::default() })
            }
        }
    }
}
