//! The page for signing in. It also answers a form whose session has ended, and keeps what was typed.

use askama::Template;
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::Error;
use http::limits;
use hyper::StatusCode;

use super::form::Form;
use super::open_page::{OpenPage, show};
use super::problems::Problems;
use crate::texts;

/// The maximum length of the form for signing in: it may carry the longest form of all, in Base64, besides its own fields.
pub(crate) const SIGN_IN_BYTES: usize = limits::BODY_BYTES / 3 * 4 + 64 * 1024;

/// The page for signing in.
#[derive(Template)]
#[template(path = "sign_in.html")]
pub(crate) struct SignInPage {
    pub(crate) root: String,
    pub(crate) email: String,
    pub(crate) to: String,
    /// A form that was sent after the session had ended, as [`kept_form`] reads it.
    pub(crate) kept: String,
    pub(crate) problems: Problems,
}

/// The page for signing in, in answer to a form that came without a session: what was typed is kept, and can be sent after
/// signing in again; files are not.
pub(crate) async fn keep(mut request: OpenPage) -> Result<Response, Error> {
    let (kept, told) = match request.has_files() {
        true => (String::new(), texts::SIGNED_OUT_WITH_FILES),
        // As it was sent: encoded again as a form within a form, it could be three times as long.
        false => (URL_SAFE_NO_PAD.encode(request.sent(limits::BODY_BYTES).await?), texts::SIGNED_OUT),
    };
    let to = destination(request.parts.uri.path());
    let (root, email, problems) = (request.root(), String::new(), Problems::with(told));
    let mut response = show(&SignInPage { root, email, to, kept, problems })?;
    *response.status_mut() = StatusCode::UNAUTHORIZED;
    Ok(response)
}

/// The form that was kept while its person signed in, if there is one.
pub(crate) fn kept_form(kept: &str) -> Option<Form> {
    let sent = URL_SAFE_NO_PAD.decode(kept).ok().filter(|sent| !sent.is_empty())?;
    Some(Form::parse(&sent))
}

/// The path of the service to go to after signing in: a page of an organization, never another site.
pub(crate) fn destination(to: &str) -> String {
    let is_page = to.starts_with("/o/") && !to.contains(|it: char| it == '\\' || it.is_control());
    if is_page { to.to_owned() } else { "/".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_led_to_another_site() {
        assert_eq!(destination("/o/acme/incidents?status=new"), "/o/acme/incidents?status=new");
        for other in [
            "",
            "/",
            "//evil.example",
            "https://evil.example",
            "/o",
            "/\\evil",
            "javascript:alert(1)",
            "/o/\\x",
            "/o/\0",
            "/o/\u{7f}",
            "/o/\r\nx: y",
        ] {
            assert_eq!(destination(other), "/", "{other}");
        }
    }
}
