//! The error type of the product, independent of HTTP.

use std::fmt::Display;

use crate::document::ProposalStatus;
use crate::duty::DutyCounts;
use crate::error_code::ErrorCode;
use crate::fault::{FaultCode, Faults};
use crate::ids::{IncidentNumber, RiskNumber};
use crate::incident::{Requirement, Status};
use crate::person::Person;
use crate::scope::{Scope, Scopes};

/// A result whose error is the product's.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a request could not be done. The public text of each case is made from these fields alone;
/// what is private (`Internal`, `Unavailable`) goes to the log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The record does not exist, or belongs to another organization.
    #[error("{} not found", .0.title())]
    NotFound(ResourceKind),
    /// The request does not fit the state of the register.
    #[error("{}", .0.explanation().title)]
    Conflict(ErrorCode),
    /// The record of this kind has the tag already.
    #[error("{} with {}", ErrorCode::TagAlreadyAssociated.explanation().title, .0.title().to_lowercase())]
    TagAlreadyAssociated(ResourceKind),
    /// An incident cannot go from one status to the other.
    #[error("an incident cannot go from {from} to {to}")]
    TransitionNotAllowed {
        /// The status that it has.
        from: Status,
        /// The status that it was to get.
        to: Status,
        /// The statuses that it can get.
        allowed: Vec<Status>,
    },
    /// These incidents have references of external systems that other incidents have by now.
    #[error("the references of {0:?} are taken")]
    ExternalRefTaken(Vec<IncidentNumber>),
    /// This risk has the external reference that another one was to get.
    #[error("{0} has the reference")]
    RiskRefTaken(RiskNumber),
    /// An incident cannot be closed yet: this is missing.
    #[error("closing lacks {0:?}")]
    CloseRequirements(Vec<Requirement>),
    /// An incident is closed, and the change would leave it without this.
    #[error("the incident is closed, and the change would leave it without {0:?}")]
    ClosedRequirements(Vec<Requirement>),
    /// All or none of many records were to be changed, and these cannot be: the id of each, and the reason.
    #[error("{} records cannot be changed", .0.len())]
    BulkFailed(Vec<(String, Error)>),
    /// A proposal is approved by somebody who is no author of it, such as these people, by name.
    #[error("somebody else has to approve this")]
    FourEyes(Vec<Person>),
    /// A decision is made by a person whom the criteria name and who has not asked for it, such as these people.
    #[error("somebody else has to decide this")]
    NotDecider(Vec<Person>),
    /// A request or a decision names another evaluation than the latest one of the risk, or another version of it.
    #[error("the risk was changed")]
    RiskChanged {
        /// What was named and what is so now, as a unified diff.
        difference: String,
    },
    /// A proposal that has this status does not take the step.
    #[error("a proposal that is {0} does not take this step")]
    NotNext(ProposalStatus),
    /// An approval names another text than the one that the proposal has by now.
    #[error("the proposal has the text {sha256} by now")]
    ProposalChanged {
        /// The hash of the present text.
        sha256: String,
        /// What it changes in the text that was named, if the caller can know that one.
        difference: Option<TextDifference>,
    },
    /// An acknowledgement, or a request for some, names another text than the newest published one.
    #[error("the text {sha256} is published by now")]
    VersionSuperseded {
        /// The hash of the newest text.
        sha256: String,
        /// What it changes in the text that was named, if that was published.
        difference: Option<TextDifference>,
    },
    /// A PDF has no glyphs for these characters, the first of them in their order.
    #[error("no glyphs for {0:?}")]
    NoGlyphs(Vec<char>),
    /// A member cannot be removed, because these duties would be left to nobody.
    #[error("the member has {}", .0.sentence())]
    MemberHasDuties(DutyCounts),
    /// The request was understood and is wrong in these places.
    #[error("{} faults", .0.len())]
    Invalid(Faults),
    /// The change is based on another version than the record's `current` one; none if the resource has no versions.
    #[error("based on another version than {current:?}")]
    Outdated {
        /// The version that the record has.
        current: Option<i64>,
    },
    /// The change does not say which version it is based on, and it must.
    #[error("no version was named")]
    VersionRequired,
    /// The caller is known and lacks these scopes.
    #[error("without the scopes {0}")]
    Forbidden(Scopes),
    /// The caller is known and has none of these scopes, each of which would be enough.
    #[error("without any of the scopes {0:?}")]
    ForbiddenWithoutAny(&'static [Scope]),
    /// The caller is not known: no token, or an invalid one.
    #[error("unauthenticated: {0}")]
    Unauthenticated(&'static str),
    /// An Idempotency-Key was used before with another request.
    #[error("idempotency key reused")]
    KeyReused,
    /// A request was made under an Idempotency-Key, and its response cannot be given again: a text was redacted, or it
    /// names an incident that the caller does not see any more.
    #[error("the response is not kept")]
    ResponseNotKept,
    /// Too many requests; try again after so many seconds.
    #[error("limited for {retry_after_seconds} s")]
    Limited {
        /// Seconds until the next request can succeed.
        retry_after_seconds: u64,
    },
    /// The register cannot do this now; nothing was changed.
    #[error("unavailable: {0}")]
    Unavailable(String),
    /// Another process has been writing to the organization for too long; nothing was changed.
    #[error("the organization's head is busy")]
    HeadBusy,
    /// The connection broke while the change was being made durable, and whether it was could not be determined.
    #[error("the outcome is unknown")]
    OutcomeUnknown,
    /// The database lacks changes that were acknowledged, so nothing more is written; nothing was changed.
    #[error("the register went back")]
    WentBack,
    /// A bug in the service. The text is for the log, never for the caller.
    #[error("internal: {0}")]
    Internal(String),
}

/// What differs between a text that a request names and the one that there is by now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextDifference {
    /// The path of the operation that compares the two.
    pub path: String,
    /// A unified diff; none if it is long.
    pub text: Option<String>,
}

impl Error {
    /// One fault, for rules that can break in one place only.
    pub fn invalid(pointer: impl Display, code: FaultCode, detail: impl Display) -> Self {
        let mut faults = Faults::new();
        faults.add(pointer, code, detail);
        Self::Invalid(faults)
    }
}

impl Faults {
    /// `value` if nothing was wrong, else every fault.
    pub fn or<T>(self, value: T) -> Result<T> {
        if self.is_empty() { Ok(value) } else { Err(self.into()) }
    }

    /// What was read, which is missing only if something was wrong with it.
    pub fn or_read<T>(self, read: Option<T>) -> Result<T> {
        match read {
            Some(read) if self.is_empty() => Ok(read),
            _ => Err(self.into()),
        }
    }
}

impl From<Faults> for Error {
    fn from(faults: Faults) -> Self {
        Self::Invalid(faults)
    }
}

/// What was not found. The titles are those that the given interface specifies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResourceKind {
    /// An incident.
    Incident,
    /// A task of an incident.
    Task,
    /// The review of an incident.
    Review,
    /// An action in the review of an incident.
    ReviewAction,
    /// A note about an incident.
    Note,
    /// An incident or a tag, when one is put on the other.
    IncidentOrTag,
    /// A risk.
    Risk,
    /// A risk or a tag, when one is put on the other.
    RiskOrTag,
    /// A link of an incident.
    Link,
    /// An evaluation of a risk.
    Evaluation,
    /// The acceptance of a risk.
    Acceptance,
    /// An exception to a document.
    Exception,
    /// A version of the scale.
    ScaleVersion,
    /// A tag.
    Tag,
    /// A saved view.
    SavedView,
    /// A document.
    Document,
    /// A document or a tag, when one is put on the other.
    DocumentOrTag,
    /// A proposal of a document.
    Proposal,
    /// An edit of a proposal.
    Edit,
    /// A comment on a proposal.
    Comment,
    /// A value that a comment suggests.
    Suggestion,
    /// An earlier text of a proposal.
    EarlierText,
    /// An offer of the library to a document.
    Offer,
    /// A published version of a document.
    DocumentVersion,
    /// A request to acknowledge a document.
    AcknowledgementRequest,
    /// An import of a spreadsheet.
    Import,
    /// A member of the organization.
    User,
    /// A group of members.
    Group,
    /// An invitation that is open.
    Invitation,
    /// A reset link that is open.
    ResetLink,
    /// The session of a person; a client has none.
    Session,
    /// An OAuth client.
    Client,
    /// A secret of an OAuth client.
    Secret,
    /// An organization.
    Organization,
    /// A request that could be undone.
    Request,
    /// An unknown path.
    Path,
}

impl ResourceKind {
    /// The name as it stands before "not found".
    pub fn title(self) -> &'static str {
        match self {
            Self::Incident => "Incident",
            Self::Task => "Task",
            Self::Review => "Review",
            Self::ReviewAction => "Action",
            Self::Note => "Note",
            Self::IncidentOrTag => "Incident or tag",
            Self::Risk => "Risk",
            Self::RiskOrTag => "Risk or tag",
            Self::Link => "Link",
            Self::Evaluation => "Evaluation",
            Self::Acceptance => "Acceptance",
            Self::Exception => "Exception",
            Self::ScaleVersion => "Scale version",
            Self::Tag => "Tag",
            Self::SavedView => "View",
            Self::Document => "Document",
            Self::DocumentOrTag => "Document or tag",
            Self::Proposal => "Proposal",
            Self::Edit => "Edit",
            Self::Comment => "Comment",
            Self::EarlierText => "Earlier text",
            Self::Offer => "Offer",
            Self::Suggestion => "Suggestion",
            Self::DocumentVersion => "Version",
            Self::AcknowledgementRequest => "Acknowledgement request",
            Self::Import => "Import",
            Self::User => "User",
            Self::Group => "Group",
            Self::Invitation => "Invitation",
            Self::ResetLink => "Reset link",
            Self::Session => "Session",
            Self::Client => "Client",
            Self::Secret => "Secret",
            Self::Organization => "Organization",
            Self::Request => "Request",
            Self::Path => "Path",
        }
    }
}
