//! The page of an error: what happened, what to do, and the request's id.

use askama::Template;
use axum::response::{Html, IntoResponse, Response};
use domain::{Error as E, ResourceKind, Role, Scope, Scopes};
use web::Error;
use web::http::route::{Content, ErrorForm, Refusal};

use super::{assets, words};

/// The form of errors of the console.
pub(crate) const FORM: ErrorForm = ErrorForm { content: Content::Console, render: respond };

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage<'p> {
    assets: &'static str,
    status: u16,
    title: &'p str,
    detail: &'p str,
    request_id: &'p str,
    /// The address of the organization, `/o/{slug}`, if the request was for one of its pages.
    base: Option<String>,
}

fn respond(refusal: &Refusal<'_>) -> Response {
    let (status, title, detail) = refusal.in_words();
    let (title, detail) = match &refusal.error {
        Error::Domain(E::NotFound(_)) => (
            "There is nothing here".to_owned(),
            "It is not in the register, or not for you to see.".to_owned(),
        ),
        Error::Domain(E::Forbidden(scopes)) => not_allowed(|role| role.require_all(*scopes).is_ok()),
        Error::Domain(E::ForbiddenWithoutAny(any)) => {
            not_allowed(|role| any.iter().any(|scope: &Scope| role.has(*scope)))
        }
        _ => (title, detail),
    };
    let is_outside = matches!(refusal.error, Error::Domain(E::NotFound(ResourceKind::Organization)));
    let base = base(refusal.path).filter(|_| !is_outside);
    let (assets, request_id) = (assets::HASH, refusal.request_id);
    let status_code = status.as_u16();
    let page = ErrorPage { assets, status: status_code, title: &title, detail: &detail, request_id, base };
    // A template of texts and numbers: rendering it cannot fail.
    (status, Html(page.render().unwrap_or_default())).into_response()
}

/// What a page needs that the person may not open, and who can give it.
fn not_allowed(is_enough: impl Fn(Scopes) -> bool) -> (String, String) {
    let roles = Role::ALL.iter().filter(|role| is_enough(role.scopes()));
    let roles: Vec<String> = roles.map(|role| words::label(role).to_lowercase()).collect();
    let detail =
        format!("It needs the role {}. An admin of the organization can give it to you.", listed(&roles));
    ("You may not do this".to_owned(), detail)
}

/// `a, b or c`.
fn listed(names: &[String]) -> String {
    match names {
        [] => "that nobody has".to_owned(),
        [one] => one.clone(),
        [many @ .., last] => format!("{} or {last}", many.join(", ")),
    }
}

fn base(path: &str) -> Option<String> {
    let slug = path.strip_prefix("/o/")?.split('/').next()?;
    let is_slug = slug.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    (is_slug && !slug.is_empty()).then(|| format!("/o/{slug}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_the_roles_that_may() {
        let (_, detail) = not_allowed(|scopes| scopes.has(Scope::JournalRead));
        assert_eq!(
            detail,
            "It needs the role auditor or admin. An admin of the organization can give it to you."
        );
    }

    #[test]
    fn the_organization_is_that_of_the_address() {
        assert_eq!(base("/o/acme/incidents/INC-9"), Some("/o/acme".to_owned()));
        for path in ["/", "/o/", "/o//x", "/sign-in", "/o/<b>/x"] {
            assert_eq!(base(path), None, "{path}");
        }
    }
}
