//! The parts of each error: the one place where errors become HTTP.

use auth::PublicUrl;
use domain::{Error as E, ErrorCode as C, Fault, ResourceKind, TextDifference, incident};
use hyper::StatusCode;
use hyper::header::{ACCEPT, ACCEPT_ENCODING, HeaderValue};

use super::details::{
    close_requirements, external_ref_taken, first_of, forbidden, forbidden_without_any, invalid_credentials,
    limited, not_found, outdated, retried, somebody_else, unauthenticated,
};
use super::members::{AllFaults, DutiesLeft, FailedItem, ItemProblem, Members};
use super::parts::Parts;
use crate::error::{Error, ParameterFault};
use crate::route::Refusal;

/// Why a request that is to be undone is not found.
pub const UNKNOWN_REQUEST: &str =
    "No request of yours with this id has changed anything in the last 15 minutes.";

/// The most records that a problem names.
const MOST_NAMED: usize = 100;

/// The maximum length in bytes of `instance`: only an unknown path is longer.
const INSTANCE_BYTES: usize = 256;

impl Refusal<'_> {
    /// The path of the request on the host, not longer than a response repeats it.
    pub(super) fn instance(&self) -> String {
        let mut path = self.public_url.path_to(self.path);
        path.truncate(path.floor_char_boundary(INSTANCE_BYTES));
        path
    }

    /// The status, the title and the detail, for a page. Private details are logged here, once.
    pub fn in_words(&self) -> (StatusCode, String, String) {
        let Parts { status, title, detail, .. } = self.describe();
        (status, title, detail)
    }

    /// The parts of the error. Private details are logged here, once.
    pub fn describe(&self) -> Parts<'_> {
        log(&self.error, &self.instance(), self.request_id);
        let mut parts = of_error(&self.error);
        if parts.row == C::PathNotFound && self.path.ends_with('/') {
            "No path ends with a slash: leave it out.".clone_into(&mut parts.detail);
        }
        if let Some(path) = &mut parts.members.difference_path {
            *path = self.public_url.path_to(path);
        }
        for failed in &mut parts.members.failed {
            failed.problem.link = self.public_url.path_to(&failed.problem.link);
        }
        parts
    }
}

impl Error {
    /// The status, the title and the detail of an error that is shown in a form.
    pub fn in_words(&self) -> (StatusCode, String, String) {
        let Parts { status, title, detail, .. } = of_error(self);
        (status, title, detail)
    }
}

fn log(error: &Error, path: &str, request_id: &str) {
    match error {
        Error::Domain(E::Internal(text)) => {
            tracing::error!(request_id, path, error = text, "internal error");
        }
        Error::Domain(E::Unavailable(text)) => {
            tracing::warn!(request_id, path, error = text, "unavailable");
        }
        Error::Domain(E::OutcomeUnknown) => {
            tracing::error!(request_id, path, "the outcome of a write is unknown");
        }
        _ => {}
    }
}

fn of_error(error: &Error) -> Parts<'_> {
    match error {
        Error::Domain(error) => of_domain(error),
        Error::Unauthenticated { token_sent } => unauthenticated(*token_sent),
        Error::InvalidCredentials => invalid_credentials(),
        Error::OrganizationNeeded(organizations) => Parts::of(C::OrganizationNeeded)
            .members(Members { organizations: Some(organizations), ..Members::default() }),
        Error::InvitationNotValid => Parts::of(C::InvitationNotValid),
        Error::ResetLinkNotValid => Parts::of(C::ResetLinkNotValid),
        Error::MalformedBody(detail) => Parts::of(C::MalformedBody).detail(detail),
        Error::InvalidParameter(faults) => {
            let (errors, more_errors) = (Some(AllFaults::Parameters(faults)), faults.has_more());
            let first = faults.first().map(ParameterFault::sentence);
            Parts::of(C::InvalidParameter)
                .detail(first_of(first, faults.len(), more_errors))
                .members(Members { errors, more_errors, ..Members::default() })
        }
        Error::BodyTooLarge { limit_bytes } => {
            Parts::of(C::BodyTooLarge).detail(format!("The limit is {limit_bytes} bytes."))
        }
        Error::UnsupportedMediaType { accept } => Parts::of(C::UnsupportedMediaType)
            .detail(format!("Send {accept}."))
            .header(ACCEPT, HeaderValue::from_static(accept)),
        Error::UnsupportedEncoding => Parts::of(C::UnsupportedMediaType)
            .title("The body's encoding is not supported.")
            .detail("Send it uncompressed.")
            .header(ACCEPT_ENCODING, HeaderValue::from_static("identity")),
        Error::MalformedRequest(detail) => Parts::of(C::MalformedRequest).detail(*detail),
        Error::MethodNotAllowed { allow } => {
            Parts::of(C::MethodNotAllowed).detail(format!("This path takes {allow}."))
        }
        Error::NotAcceptable => Parts::of(C::NotAcceptable),
        Error::UriTooLong => Parts::of(C::UriTooLong),
        Error::HeaderTooLarge => Parts::of(C::HeaderTooLarge),
        Error::Timeout => Parts::of(C::Timeout),
        Error::HttpsRequired => Parts::of(C::HttpsRequired),
        Error::InProgress => Parts::of(C::InProgress),
        Error::RateLimited { policy, retry_after_seconds } => limited(*retry_after_seconds)
            .members(Members { violated_policies: Some([policy]), ..Members::default() }),
    }
}

fn of_domain(error: &E) -> Parts<'_> {
    match error {
        E::NotFound(noun @ ResourceKind::Request) => not_found(*noun).detail(UNKNOWN_REQUEST),
        E::NotFound(noun) => not_found(*noun),
        E::Conflict(code) => Parts::of(*code),
        E::TagAlreadyAssociated(_) => Parts::of(C::TagAlreadyAssociated).title(error.to_string()),
        E::TransitionNotAllowed { from, to, allowed } => Parts::of(C::TransitionNotAllowed)
            .detail(incident::not_allowed(*from, *to, allowed))
            .members(Members { allowed: Some(allowed), ..Members::default() }),
        E::CloseRequirements(missing) => close_requirements(missing),
        E::ClosedRequirements(missing) => {
            let parts = close_requirements(missing);
            let detail =
                format!("After this change it could not be closed. {} Nothing was changed.", parts.detail);
            parts.title("The incident is closed: reopen it to change this.").detail(detail)
        }
        E::MemberHasDuties(counts) => Parts::of(C::MemberHasDuties)
            .detail(format!(
                "The member has {}. Hand them over first, or send duties=keep.",
                counts.sentence()
            ))
            .members(Members { duties: Some(DutiesLeft(counts)), ..Members::default() }),
        E::NoGlyphs(characters) => {
            let named = characters.iter().map(|it| format!("{it} (U+{:04X})", u32::from(*it)));
            let named = named.collect::<Vec<_>>().join(", ");
            Parts::of(C::NoGlyphs).detail(format!("The fonts of PDF files do not have {named}."))
        }
        E::FourEyes(who) => somebody_else(C::FourEyes, who),
        E::NotDecider(who) => somebody_else(C::NotDecider, who),
        E::RiskChanged { difference } => {
            Parts::of(C::RiskChanged).members(Members { difference: Some(difference), ..Members::default() })
        }
        E::NotNext(status) => Parts::of(C::NotNext).detail(status.next_steps()),
        E::ProposalChanged { sha256, difference } => {
            Parts::of(C::ProposalChanged).members(of_text(sha256, difference.as_ref()))
        }
        E::VersionSuperseded { sha256, difference } => {
            Parts::of(C::VersionSuperseded).members(of_text(sha256, difference.as_ref()))
        }
        E::ExternalRefTaken(incidents) => external_ref_taken(incidents),
        E::RiskRefTaken(risk) => Parts::of(C::ExternalRefTaken)
            .title("Another risk has this reference")
            .detail(format!("{risk} has this external reference. Nothing was changed.")),
        E::BulkFailed(failed) => bulk_failed(failed),
        E::Invalid(faults) => {
            let (errors, more_errors) = (Some(AllFaults::Body(faults)), faults.has_more());
            Parts::of(C::ValidationFailed)
                .detail(first_of(faults.first().map(Fault::sentence), faults.len(), more_errors))
                .members(Members { errors, more_errors, ..Members::default() })
        }
        E::Outdated { current } => outdated(*current),
        E::VersionRequired => Parts::of(C::PreconditionRequired),
        E::Forbidden(missing) => forbidden(*missing),
        E::ForbiddenWithoutAny(scopes) => forbidden_without_any(scopes),
        E::Unauthenticated(_) => unauthenticated(true),
        E::KeyReused => Parts::of(C::IdempotencyKeyReused),
        E::ResponseNotKept => Parts::of(C::ResponseNotKept),
        E::Limited { retry_after_seconds } => limited(*retry_after_seconds),
        E::HeadBusy => retried(C::Unavailable).title("The register is busy."),
        E::Unavailable(_) => retried(C::Unavailable),
        E::OutcomeUnknown => retried(C::OutcomeUnknown),
        E::WentBack => retried(C::RegisterWentBack),
        E::Internal(_) => Parts::of(C::Internal),
    }
}

/// The hash of the present text, and what it changes in the one that the request names.
fn of_text<'e>(sha256: &'e str, difference: Option<&'e TextDifference>) -> Members<'e> {
    Members {
        sha256: Some(sha256),
        difference: difference.and_then(|it| it.text.as_deref()),
        difference_path: difference.map(|it| it.path.clone()),
        ..Members::default()
    }
}

fn bulk_failed(failed: &[(String, E)]) -> Parts<'_> {
    let first = failed.first().map(|(id, error)| {
        let detail = of_domain(error).detail;
        format!("{id}: {}", detail.trim_end_matches(" Nothing was changed."))
    });
    let others = match failed.len() {
        0 | 1 => String::new(),
        2 => " 1 other cannot be changed either.".to_owned(),
        count => format!(" {} others cannot be changed either.", count - 1),
    };
    let named = failed.iter().take(MOST_NAMED);
    let failed = named.map(|(id, error)| FailedItem { id, problem: ItemProblem::of(error) }).collect();
    Parts::of(C::BulkFailed)
        .detail(format!("{}{others} Nothing was changed.", first.unwrap_or_default()))
        .members(Members { failed, ..Members::default() })
}

impl<'e> ItemProblem<'e> {
    /// The problem of an error of the service at this URL.
    pub fn at(public_url: &PublicUrl, error: &'e E) -> Self {
        let problem = Self::of(error);
        Self { link: public_url.path_to(&problem.link), ..problem }
    }

    /// The same with a path of the service.
    fn of(error: &'e E) -> Self {
        let parts = of_domain(error);
        let (link, status) = (parts.link(), parts.status.as_u16());
        let Members { allowed, missing, scope, errors, more_errors, .. } = parts.members;
        let members = Members { allowed, missing, scope, errors, more_errors, ..Members::default() };
        Self { link, title: parts.title, status, detail: parts.detail, code: parts.code, members }
    }
}
