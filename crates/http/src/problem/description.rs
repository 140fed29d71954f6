//! What an error means in HTTP: its status, its texts and its headers, in whatever form it is shown.

use domain::duty::DutyCounts;
use domain::incident::{self, Requirement, Status};
use domain::organization::OrganizationName;
use domain::{Error as E, Fault, IncidentNumber, ResourceKind, Scope, Scopes};
use hyper::StatusCode;
use hyper::header::{ACCEPT, ACCEPT_ENCODING, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use serde::{Serialize, Serializer};

use crate::error::{Error, ParameterFault, ParameterFaults};
use crate::error_codes::{self, Kind};
use crate::problem::{FailedItem, UNKNOWN_REQUEST};
use crate::route::Refusal;

/// The `Retry-After` in seconds when the register is unavailable.
const RETRY_UNAVAILABLE: u64 = 1;

/// The maximum length in bytes of `instance`: only an unknown path is longer.
const INSTANCE_BYTES: usize = 256;

/// An error as HTTP shows it.
pub struct Description<'e> {
    /// The status.
    pub status: StatusCode,
    /// The part of `type` after `#`, where it is not the code.
    pub(super) kind: Option<&'static str>,
    pub(super) code: &'static str,
    /// The title of the code's row in `error_codes`, unless a more specific one is set.
    pub title: String,
    /// What happened.
    pub detail: String,
    pub(super) scope: Option<String>,
    pub(super) violated_policies: Option<[&'static str; 1]>,
    pub(super) organizations: Option<&'e [OrganizationName]>,
    /// The statuses that an incident can get.
    pub(super) allowed: Option<&'e [Status]>,
    /// What is missing to close an incident.
    pub(super) missing: Vec<Missing>,
    /// The duties of a member who is not removed.
    pub(super) duties: Option<DutiesLeft<'e>>,
    /// The incidents whose references are taken.
    pub(super) taken: Vec<String>,
    /// The incidents that a bulk operation cannot change.
    pub(super) failed: Vec<FailedItem<'e>>,
    pub(super) faults: AllFaults<'e>,
    pub(super) has_more_faults: bool,
    /// The header that goes with the status.
    pub header: Option<(HeaderName, HeaderValue)>,
}

/// Something that is missing to close an incident.
#[derive(Serialize)]
pub(super) struct Missing {
    code: &'static str,
    detail: &'static str,
}

/// How many duties of each kind a member has.
#[derive(Clone, Copy)]
pub(super) struct DutiesLeft<'e>(&'e DutyCounts);

impl Serialize for DutiesLeft<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.0.iter().map(|(duty, count)| (duty.as_str(), count)))
    }
}

#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum AllFaults<'e> {
    None,
    Body(&'e [Fault]),
    Parameters(&'e ParameterFaults),
}

impl AllFaults<'_> {
    pub(super) fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }
}

impl Description<'_> {
    /// The part of the problem's `type` after `#`: the row of `/docs/errors` that explains it.
    pub fn kind(&self) -> &'static str {
        self.kind.unwrap_or(self.code)
    }
}

impl Refusal<'_> {
    /// The path of the request, not longer than a response repeats it.
    pub fn instance(&self) -> &str {
        self.path.get(..self.path.floor_char_boundary(INSTANCE_BYTES)).unwrap_or_default()
    }

    /// The status, the title and the detail, for a page. Private details are logged here, once.
    pub fn in_words(&self) -> (StatusCode, String, String) {
        let Description { status, title, detail, .. } = self.describe();
        (status, title, detail)
    }

    /// The description of the error. Private details are logged here, once.
    pub fn describe(&self) -> Description<'_> {
        log(&self.error, self.instance(), self.request_id);
        meaning(&self.error)
    }
}

impl Error {
    /// The status, the title and the detail of an error that is shown in a form.
    pub fn in_words(&self) -> (StatusCode, String, String) {
        let Description { status, title, detail, .. } = meaning(self);
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

fn meaning(error: &Error) -> Description<'_> {
    match error {
        Error::Domain(error) => domain_meaning(error),
        Error::Unauthenticated { token_sent } => unauthenticated(*token_sent),
        Error::InvalidCredentials => invalid_credentials(),
        Error::OrganizationNeeded(organizations) => {
            Description { organizations: Some(organizations), ..of("organization_needed") }
        }
        Error::InvitationNotValid => of("invitation_not_valid"),
        Error::ResetLinkNotValid => of("reset_link_not_valid"),
        Error::MalformedBody(detail) => with_detail("malformed_body", detail.clone()),
        Error::InvalidParameter(faults) => Description {
            faults: AllFaults::Parameters(faults),
            has_more_faults: faults.has_more(),
            ..with_detail(
                "invalid_parameter",
                first_of(faults.first().map(ParameterFault::sentence), faults.len(), faults.has_more()),
            )
        },
        Error::BodyTooLarge { limit_bytes } => {
            with_detail("body_too_large", format!("At most {limit_bytes} bytes are taken here."))
        }
        Error::UnsupportedMediaType { accept } => Description {
            header: Some((ACCEPT, HeaderValue::from_static(accept))),
            ..with_detail("unsupported_media_type", format!("Send {accept}."))
        },
        Error::UnsupportedEncoding => Description {
            header: Some((ACCEPT_ENCODING, HeaderValue::from_static("identity"))),
            title: "The body's encoding is not supported.".to_owned(),
            ..with_detail("unsupported_media_type", "Send it uncompressed.".to_owned())
        },
        Error::MalformedRequest(detail) => with_detail("malformed_request", (*detail).to_owned()),
        Error::MethodNotAllowed => of("method_not_allowed"),
        Error::NotAcceptable => of("not_acceptable"),
        Error::UriTooLong => of("uri_too_long"),
        Error::HeaderTooLarge => of("header_too_large"),
        Error::Timeout => of("timeout"),
        Error::HttpsRequired => of("https_required"),
        Error::InProgress => of("in_progress"),
        Error::RateLimited { policy, retry_after_seconds } => {
            Description { violated_policies: Some([policy]), ..limited(*retry_after_seconds) }
        }
    }
}

pub(super) fn domain_meaning(error: &E) -> Description<'_> {
    match error {
        E::NotFound(ResourceKind::Request) => {
            Description { detail: UNKNOWN_REQUEST.to_owned(), ..not_found(ResourceKind::Request.title()) }
        }
        E::NotFound(noun) => not_found(noun.title()),
        E::Conflict { code, title } => conflict(code, title),
        E::TransitionNotAllowed { from, to, allowed } => Description {
            allowed: Some(allowed),
            ..with_detail("transition_not_allowed", incident::not_allowed(*from, *to, allowed))
        },
        E::CloseRequirements(missing) => close_requirements(missing, false),
        E::ClosedRequirements(missing) => close_requirements(missing, true),
        E::MemberHasDuties(counts) => Description {
            duties: Some(DutiesLeft(counts)),
            ..with_detail(
                "member_has_duties",
                format!("The member has {}. Hand them over first, or send duties=keep.", counts.sentence()),
            )
        },
        E::ExternalRefTaken(incidents) => external_ref_taken(incidents),
        E::BulkFailed(failed) => bulk_failed(failed),
        E::Invalid(faults) => Description {
            faults: AllFaults::Body(faults),
            has_more_faults: faults.has_more(),
            ..with_detail(
                "validation_failed",
                first_of(faults.first().map(Fault::sentence), faults.len(), faults.has_more()),
            )
        },
        E::Outdated { current } => outdated(*current),
        E::VersionRequired => of("precondition_required"),
        E::Forbidden(missing) => forbidden(*missing),
        E::ForbiddenWithoutAny(scopes) => forbidden_without_any(scopes),
        E::Unauthenticated(_) => unauthenticated(true),
        E::KeyReused => of("idempotency_key_reused"),
        E::ResponseNotKept => of("response_not_kept"),
        E::Limited { retry_after_seconds } => limited(*retry_after_seconds),
        E::HeadBusy => {
            Description { title: "The register is busy.".to_owned(), ..retried(of("unavailable")) }
        }
        E::Unavailable(_) => retried(of("unavailable")),
        E::OutcomeUnknown => retried(of("outcome_unknown")),
        E::WentBack => retried(of("register_went_back")),
        E::Internal(_) => of("internal"),
    }
}

/// The description from the row of a code.
fn of(code: &'static str) -> Description<'static> {
    let row = error_codes::row(code);
    let text = |text: fn(&Kind) -> &'static str| row.map(text).unwrap_or_default().to_owned();
    Description {
        status: row.map_or(StatusCode::INTERNAL_SERVER_ERROR, Kind::status),
        kind: None,
        code,
        title: text(|row| row.title),
        detail: text(|row| row.detail),
        scope: None,
        violated_policies: None,
        organizations: None,
        allowed: None,
        missing: Vec::new(),
        duties: None,
        taken: Vec::new(),
        failed: Vec::new(),
        faults: AllFaults::None,
        has_more_faults: false,
        header: None,
    }
}

/// The same with a detail of this one error.
fn with_detail(code: &'static str, detail: String) -> Description<'static> {
    Description { detail, ..of(code) }
}

/// A conflict has the description of its code's row. The rule's own text is the title where it begins like that of the
/// row, and else is added.
fn conflict(code: &'static str, said: &str) -> Description<'static> {
    let said = said.trim_end_matches('.');
    let meaning = of(code);
    if said.len() > meaning.title.len() && said.starts_with(&meaning.title) {
        return Description { title: said.to_owned(), ..meaning };
    }
    let detail = match meaning.title.trim_end_matches('.') == said {
        true => meaning.detail,
        false => format!("{said}. Nothing was changed."),
    };
    Description { detail, ..of(code) }
}

/// Why an incident is not closed, or why a closed one is not changed.
fn close_requirements(missing: &[Requirement], is_closed: bool) -> Description<'static> {
    let sentences: Vec<&str> = missing.iter().map(|requirement| requirement.sentence()).collect();
    let missing = missing.iter().map(|it| Missing { code: it.as_str(), detail: it.sentence() }).collect();
    let detail = sentences.join(" ");
    if !is_closed {
        return Description { missing, ..with_detail("close_requirements", detail) };
    }
    let title = "The incident is closed: reopen it to change this.".to_owned();
    let detail = format!("After this change it could not be closed. {detail} Nothing was changed.");
    Description { missing, title, ..with_detail("close_requirements", detail) }
}

fn external_ref_taken(incidents: &[IncidentNumber]) -> Description<'static> {
    let taken: Vec<String> = incidents.iter().map(IncidentNumber::to_string).collect();
    let first = taken.first().map(String::as_str).unwrap_or_default();
    let detail = match taken.len() {
        0 | 1 => format!("{first} has a reference that another incident has."),
        2 => format!("{first} and 1 other have references that other incidents have."),
        count => format!("{first} and {} others have references that other incidents have.", count - 1),
    };
    Description { taken, ..with_detail("external_ref_taken", format!("{detail} Nothing was changed.")) }
}

/// The most records that a problem names.
const MOST_NAMED: usize = 100;

fn bulk_failed(failed: &[(String, E)]) -> Description<'_> {
    let named = failed.iter().take(MOST_NAMED).map(|(id, error)| FailedItem::of(id, error)).collect();
    let first = failed.first().map(|(id, error)| format!("{id}: {}", domain_meaning(error).detail));
    let others = match failed.len() {
        0 | 1 => String::new(),
        2 => " 1 other cannot be changed either.".to_owned(),
        count => format!(" {} others cannot be changed either.", count - 1),
    };
    let detail = format!("{}{others} Nothing was changed.", first.unwrap_or_default());
    Description { failed: named, ..with_detail("bulk_failed", detail) }
}

fn limited(retry_after_seconds: u64) -> Description<'static> {
    Description {
        header: Some((RETRY_AFTER, HeaderValue::from(retry_after_seconds))),
        ..with_detail("rate_limited", format!("Try again in {retry_after_seconds} s."))
    }
}

/// An unknown path has a type of its own, because another id does not help.
fn not_found(noun: &str) -> Description<'static> {
    let row = if noun == ResourceKind::Path.title() { "path_not_found" } else { "not_found" };
    Description { kind: Some(row), code: "not_found", title: format!("{noun} not found"), ..of(row) }
}

fn outdated(current: Option<i64>) -> Description<'static> {
    let code = "precondition_failed";
    match current {
        Some(version) => {
            with_detail(code, format!("Nothing was changed. It is version {version}: read it again."))
        }
        None => Description {
            title: "This has no version to match.".to_owned(),
            ..with_detail(code, "Nothing was changed. If-Match can only be `*` here.".to_owned())
        },
    }
}

/// RFC 6750, section 3.1: no error attribute when no token was sent.
fn unauthenticated(token_sent: bool) -> Description<'static> {
    if token_sent {
        let challenge = HeaderValue::from_static(r#"Bearer realm="bailiwick", error="invalid_token""#);
        return Description { header: Some((WWW_AUTHENTICATE, challenge)), ..of("unauthenticated") };
    }
    let challenge = HeaderValue::from_static(r#"Bearer realm="bailiwick""#);
    let detail = "Send an access token: Authorization: Bearer <token>.".to_owned();
    Description { header: Some((WWW_AUTHENTICATE, challenge)), ..with_detail("unauthenticated", detail) }
}

/// A challenge is required with every 401 (RFC 9110, section 15.5.2); this one does not ask for a token.
fn invalid_credentials() -> Description<'static> {
    Description {
        header: Some((WWW_AUTHENTICATE, HeaderValue::from_static(r#"Bearer realm="bailiwick""#))),
        ..of("invalid_credentials")
    }
}

fn forbidden(missing: Scopes) -> Description<'static> {
    let challenge = format!(r#"Bearer realm="bailiwick", error="insufficient_scope", scope="{missing}""#);
    let noun = if missing.iter().count() == 1 { "scope" } else { "scopes" };
    Description {
        scope: Some(missing.to_string()),
        // Scopes are made of letters and colons, separated by spaces.
        header: HeaderValue::try_from(challenge).ok().map(|value| (WWW_AUTHENTICATE, value)),
        ..with_detail("insufficient_scope", format!("This needs the {noun} {missing}."))
    }
}

/// `scope` names the usual one of the scopes, since a client requests one; the detail names all.
fn forbidden_without_any(scopes: &[Scope]) -> Description<'static> {
    let names = scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(" or ");
    let usual = scopes.iter().take(1).copied().collect();
    Description { detail: format!("This needs the scope {names}."), ..forbidden(usual) }
}

/// The same with a `Retry-After`.
fn retried(meaning: Description<'static>) -> Description<'static> {
    Description { header: Some((RETRY_AFTER, HeaderValue::from(RETRY_UNAVAILABLE))), ..meaning }
}

/// The first fault as a sentence, and the number of the others.
fn first_of(first: Option<String>, count: usize, has_more: bool) -> String {
    let first = first.unwrap_or_default();
    match (count, has_more) {
        (0 | 1, false) => first,
        (2, false) => format!("{first} There is 1 more fault."),
        (_, false) => format!("{first} There are {} more faults.", count - 1),
        (_, true) => format!("{first} There are over {} more faults.", count - 1),
    }
}
