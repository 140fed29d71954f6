//! The register's data types and the rules for them.
//!
//! No I/O, no SQL, no HTTP, no clock: time and randomness are arguments.

pub mod acceptance;
pub mod accepting;
pub mod access;
pub mod acknowledgement;
pub mod actor;
pub mod bulk;
pub mod change;
pub mod client;
pub mod decision;
pub mod document;
pub mod duty;
pub mod error;
pub mod error_code;
pub mod evaluation;
pub mod exception;
pub mod fault;
pub mod figures;
pub mod group;
pub mod ids;
pub mod import;
pub mod incident;
pub mod invitation;
pub mod json;
pub mod link;
pub mod nearest;
pub mod note;
pub mod organization;
pub mod password;
pub mod performance;
pub mod permissions;
pub mod person;
pub mod rating;
pub mod record;
pub mod redaction;
pub mod reset_link;
pub mod review;
pub mod risk;
pub mod risk_change;
pub mod role;
pub mod saved_view;
pub mod scale;
pub mod schema;
pub mod scope;
pub mod search;
pub mod severity;
pub mod tag;
pub mod task;
pub mod text;
pub mod time;
pub mod timeline;
pub mod undo;
pub mod version;
pub mod word;

pub use access::AccessChange;
pub use actor::{Actor, ActorKind, Author};
pub use change::Change;
pub use error::{Error, ResourceKind, Result, TextDifference};
pub use error_code::ErrorCode;
pub use fault::{Fault, FaultCode, Faults};
pub use ids::{
    AcknowledgementId, AcknowledgementRequestId, ClientId, FamilyId, GroupId, ImportId, IncidentNumber,
    InvitationId, OrgId, RecordNumber, ResetLinkId, RiskNumber, SavedViewId, SessionId, TagId, UserId,
};
pub use nearest::nearest;
pub use permissions::Permissions;
pub use role::{Role, Roles};
pub use schema::Described;
pub use scope::{Scope, Scopes};
pub use text::{Line, LineOrEmpty, Prose, ProseOrEmpty, Reason, Text};
pub use version::ExpectedVersion;
pub use word::Word;

/// For [`words!`] in other crates.
#[doc(hidden)]
pub use serde;
#[doc(hidden)]
pub use utoipa;

// What the derives write names this crate.
extern crate self as domain;
