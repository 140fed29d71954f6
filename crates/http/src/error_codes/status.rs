//! The status of each code.

use domain::ErrorCode as C;
use hyper::StatusCode;

/// The status that errors with this code have.
#[expect(clippy::too_many_lines, reason = "a line for each code")]
pub fn status(code: C) -> StatusCode {
    match code {
        C::InvalidGrant
        | C::InvalidParameter
        | C::InvalidRequest
        | C::InvalidScope
        | C::InvalidTarget
        | C::MalformedBody
        | C::MalformedRequest
        | C::UnauthorizedClient
        | C::UnsupportedGrantType => StatusCode::BAD_REQUEST,
        C::InvalidClient | C::InvalidCredentials | C::Unauthenticated => StatusCode::UNAUTHORIZED,
        C::FourEyes | C::HttpsRequired | C::InsufficientScope | C::NotDecider | C::NotInStep => {
            StatusCode::FORBIDDEN
        }
        C::InvitationNotValid | C::NotFound | C::PathNotFound | C::ResetLinkNotValid => StatusCode::NOT_FOUND,
        C::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        C::NotAcceptable => StatusCode::NOT_ACCEPTABLE,
        C::Timeout => StatusCode::REQUEST_TIMEOUT,
        C::AcceptanceRequested
        | C::ActionIsTask
        | C::AlreadyLinked
        | C::AlreadyMember
        | C::AlreadySuperseded
        | C::BulkFailed
        | C::CloseRequirements
        | C::ConflictsOpen
        | C::DecisionNotPossible
        | C::DocumentArchived
        | C::DocumentChanged
        | C::DocumentPublished
        | C::DocumentWorkedOn
        | C::ExportTooLarge
        | C::ExternalRefTaken
        | C::ImportOver
        | C::InProgress
        | C::LastAdmin
        | C::MemberCannotSignIn
        | C::MemberElsewhere
        | C::MemberHasDuties
        | C::MemberIsOperator
        | C::NameTaken
        | C::NeverAccepted
        | C::NotEvaluated
        | C::NotNext
        | C::NotPublished
        | C::NothingToPublish
        | C::OrganizationExists
        | C::OrganizationNeeded
        | C::OwnAdminScope
        | C::OwnClient
        | C::OwnPassword
        | C::OwnerMissing
        | C::PasswordChanged
        | C::ProposalChanged
        | C::ProposalOpen
        | C::ProposalSubmitted
        | C::ReferenceTaken
        | C::ResponseNotKept
        | C::ReviewPublished
        | C::RiskChanged
        | C::RiskClosed
        | C::SlugTaken
        | C::TagAlreadyAssociated
        | C::TagInUse
        | C::TooManySecrets
        | C::TooManyViews
        | C::TransitionNotAllowed
        | C::UntilPassed
        | C::VersionSuperseded => StatusCode::CONFLICT,
        C::PreconditionFailed => StatusCode::PRECONDITION_FAILED,
        C::BodyTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        C::UriTooLong => StatusCode::URI_TOO_LONG,
        C::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        C::IdempotencyKeyReused | C::ItemsMissing | C::NoGlyphs | C::ValidationFailed => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        C::PreconditionRequired => StatusCode::PRECONDITION_REQUIRED,
        C::RateLimited => StatusCode::TOO_MANY_REQUESTS,
        C::HeaderTooLarge => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
        C::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        C::OutcomeUnknown | C::RegisterWentBack | C::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}
