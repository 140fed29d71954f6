//! The page of an error: what happened, what to do, and the request's id.

use askama::Template;
use axum::response::{Html, IntoResponse, Response};
use domain::{Error as E, Role, Scope, Scopes};
use http::Error;
use http::route::{Content, ErrorForm, Refusal};

use super::layout::Layout;
use super::words;
use crate::texts;

/// The form of errors of the console.
pub(crate) const FORM: ErrorForm = ErrorForm { content: Content::Console, render: respond };

/// The page within an organization.
#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage<'p> {
    frame: Layout,
    told: Told<'p>,
}

/// The page of who is not signed in, or not to this organization.
#[derive(Template)]
#[template(path = "error_outside.html")]
struct ErrorOutside<'p> {
    root: String,
    told: Told<'p>,
}

/// What is told about an error.
struct Told<'p> {
    status: u16,
    title: String,
    detail: String,
    request_id: &'p str,
}

fn respond(refusal: &Refusal<'_>) -> Response {
    let (status, title, detail) = refusal.in_words();
    let (title, detail) = match &refusal.error {
        Error::Domain(E::NotFound(_)) => {
            (texts::PAGE_NOT_FOUND.to_owned(), texts::NOT_FOUND_OR_NO_ACCESS.to_owned())
        }
        Error::Domain(E::Forbidden(scopes)) => not_allowed(|role| role.require_all(*scopes).is_ok()),
        Error::Domain(E::ForbiddenWithoutAny(any)) => {
            not_allowed(|role| any.iter().any(|scope: &Scope| role.has(*scope)))
        }
        _ => (title, detail),
    };
    let told = Told { status: status.as_u16(), title, detail, request_id: refusal.request_id };
    // Templates of texts and numbers: rendering them cannot fail.
    let page = match refusal.extensions.get::<Layout>().cloned() {
        Some(frame) => ErrorPage { frame: Layout { title: told.title.clone(), ..frame }, told }.render(),
        None => ErrorOutside { root: refusal.public_url.path().to_owned(), told }.render(),
    };
    (status, Html(page.unwrap_or_default())).into_response()
}

/// What a page needs that the person may not open, and who can give it.
fn not_allowed(is_enough: impl Fn(Scopes) -> bool) -> (String, String) {
    let roles = Role::ALL.iter().filter(|role| is_enough(role.scopes()));
    let roles: Vec<String> = roles.map(|role| words::label(role).to_lowercase()).collect();
    let detail = texts::needs_a_role(&roles);
    (texts::NO_PERMISSION.to_owned(), detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_the_roles_that_may() {
        let (_, detail) = not_allowed(|scopes| scopes.has(Scope::JournalRead));
        assert_eq!(detail, "This requires the role auditor or admin. Ask an admin of your organization.");
    }
}
