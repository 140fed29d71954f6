//! The form of errors for a browser: a page that says what happened, and where it is explained.

use axum::response::Response;
use http::route::{Content, ErrorForm, Refusal};

use crate::docs::html;

/// The form for a browser.
pub(crate) const FORM: ErrorForm = ErrorForm { content: Content::Page, render: respond };

fn respond(refusal: &Refusal<'_>) -> Response {
    let error = refusal.describe();
    let mut main = String::from("<h1>");
    html::escape(&error.title, &mut main);
    main.push_str("</h1>\n<p class=\"lead\">");
    html::escape(&error.detail, &mut main);
    let (row, status, request_id) = (error.row, error.status.as_u16(), refusal.request_id);
    let root = refusal.public_url.path();
    // Request ids are made of letters, digits, dots, underscores and hyphens.
    main.push_str(&format!(
        "</p>\n<p>Status {status}, <a href=\"{root}/docs/errors#{row}\"><code>{row}</code></a>. The request's id is \
         <code>{request_id}</code>.</p>\n"
    ));
    let mut response = html::answer(refusal.public_url, &status.to_string(), &main);
    *response.status_mut() = error.status;
    if let Some((name, value)) = error.header {
        response.headers_mut().insert(name, value);
    }
    response
}
