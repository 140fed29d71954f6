//! Errors whose parts have more in them than what is said about their code.

use domain::incident::Requirement;
use domain::person::Person;
use domain::{ErrorCode as C, IncidentNumber, ResourceKind, Scope, Scopes};
use hyper::header::{HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};

use super::members::{Members, PersonName};
use super::parts::Parts;

/// The `Retry-After` in seconds when the register is unavailable.
const RETRY_UNAVAILABLE: u64 = 1;

/// The most people that are named, and the most of them in a sentence.
const MOST_PEOPLE: usize = 20;
const MOST_IN_SENTENCE: usize = 3;

/// Why an incident is not closed.
pub(super) fn close_requirements(missing: &[Requirement]) -> Parts<'static> {
    let sentences: Vec<&str> = missing.iter().map(|requirement| requirement.sentence()).collect();
    let missing = missing.iter().map(Into::into).collect();
    Parts::of(C::CloseRequirements)
        .detail(sentences.join(" "))
        .members(Members { missing, ..Members::default() })
}

pub(super) fn external_ref_taken(incidents: &[IncidentNumber]) -> Parts<'static> {
    let taken: Vec<String> = incidents.iter().map(IncidentNumber::to_string).collect();
    let first = taken.first().map(String::as_str).unwrap_or_default();
    let detail = match taken.len() {
        0 | 1 => format!("{first} has a reference that another incident has."),
        2 => format!("{first} and 1 other have references that other incidents have."),
        count => format!("{first} and {} others have references that other incidents have.", count - 1),
    };
    Parts::of(C::ExternalRefTaken)
        .detail(format!("{detail} Nothing was changed."))
        .members(Members { taken, ..Members::default() })
}

pub(super) fn limited(retry_after_seconds: u64) -> Parts<'static> {
    Parts::of(C::RateLimited)
        .detail(format!("Try again in {retry_after_seconds} s."))
        .header(RETRY_AFTER, retry_after_seconds)
}

/// With a `Retry-After`.
pub(super) fn retried(code: C) -> Parts<'static> {
    Parts::of(code).header(RETRY_AFTER, RETRY_UNAVAILABLE)
}

/// An unknown path has a row of its own, because another id does not help.
pub(super) fn not_found(noun: ResourceKind) -> Parts<'static> {
    let row = if noun == ResourceKind::Path { C::PathNotFound } else { C::NotFound };
    Parts { code: C::NotFound, ..Parts::of(row).title(format!("{} not found", noun.title())) }
}

/// Who may approve or decide instead.
pub(super) fn somebody_else(code: C, who: &[Person]) -> Parts<'_> {
    let parts = Parts::of(code);
    let mut names: Vec<_> = who.iter().take(MOST_IN_SENTENCE).map(|person| person.name.clone()).collect();
    match who.len().saturating_sub(MOST_IN_SENTENCE) {
        0 => {}
        others => names.push(format!("{others} more")),
    }
    let who_may = match names.is_empty() {
        true if code == C::NotDecider => return parts,
        true => "Nobody else may at present.".to_owned(),
        false => format!("These people may: {}.", names.join(", ")),
    };
    let detail = format!("{} {who_may}", parts.detail);
    let who = who.iter().take(MOST_PEOPLE).map(PersonName::from).collect();
    parts.detail(detail).members(Members { who, ..Members::default() })
}

pub(super) fn outdated(current: Option<i64>) -> Parts<'static> {
    let parts = Parts::of(C::PreconditionFailed);
    match current {
        Some(version) => {
            parts.detail(format!("Nothing was changed. It is version {version}: read it again."))
        }
        None => parts
            .title("This has no version to match.")
            .detail("Nothing was changed. If-Match can only be `*` here."),
    }
}

/// RFC 6750, section 3.1: no error attribute when no token was sent.
pub(super) fn unauthenticated(token_sent: bool) -> Parts<'static> {
    let parts = Parts::of(C::Unauthenticated);
    if token_sent {
        return challenged(parts, r#"Bearer realm="bailiwick", error="invalid_token""#);
    }
    challenged(
        parts.detail("Send an access token: Authorization: Bearer <token>."),
        r#"Bearer realm="bailiwick""#,
    )
}

/// A challenge is required with every 401 (RFC 9110, section 15.5.2); this one does not ask for a token.
pub(super) fn invalid_credentials() -> Parts<'static> {
    challenged(Parts::of(C::InvalidCredentials), r#"Bearer realm="bailiwick""#)
}

fn challenged(parts: Parts<'static>, challenge: &'static str) -> Parts<'static> {
    parts.header(WWW_AUTHENTICATE, HeaderValue::from_static(challenge))
}

pub(super) fn forbidden(missing: Scopes) -> Parts<'static> {
    let challenge = format!(r#"Bearer realm="bailiwick", error="insufficient_scope", scope="{missing}""#);
    let noun = if missing.iter().count() == 1 { "scope" } else { "scopes" };
    let parts = Parts::of(C::InsufficientScope)
        .detail(format!("This needs the {noun} {missing}."))
        .members(Members { scope: Some(missing.to_string()), ..Members::default() });
    // Scopes are made of letters and colons, separated by spaces.
    Parts { header: HeaderValue::try_from(challenge).ok().map(|value| (WWW_AUTHENTICATE, value)), ..parts }
}

/// `scope` names the usual one of the scopes, since a client requests one; the detail names all.
pub(super) fn forbidden_without_any(scopes: &[Scope]) -> Parts<'static> {
    let names = scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(" or ");
    let usual = scopes.iter().take(1).copied().collect();
    forbidden(usual).detail(format!("This needs the scope {names}."))
}

/// The first fault as a sentence, and the number of the others.
pub(super) fn first_of(first: Option<String>, count: usize, has_more: bool) -> String {
    let first = first.unwrap_or_default();
    match (count, has_more) {
        (0 | 1, false) => first,
        (2, false) => format!("{first} There is 1 more fault."),
        (_, false) => format!("{first} There are {} more faults.", count - 1),
        (_, true) => format!("{first} There are over {} more faults.", count - 1),
    }
}
