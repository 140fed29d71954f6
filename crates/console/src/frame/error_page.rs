//! The page of an error: what happened, what to do, and the request's id.

use askama::Template;
use axum::response::{Html, IntoResponse, Response};
use web::http::route::{Content, ErrorForm, Refusal};

use super::assets;

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
}

fn respond(refusal: &Refusal<'_>) -> Response {
    let (status, title, detail) = refusal.in_words();
    let (assets, request_id) = (assets::HASH, refusal.request_id);
    let page = ErrorPage { assets, status: status.as_u16(), title: &title, detail: &detail, request_id };
    // A template of texts and numbers: rendering it cannot fail.
    (status, Html(page.render().unwrap_or_default())).into_response()
}
