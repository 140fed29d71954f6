//! The page for signing in. It also answers a form whose session has ended, and keeps what was typed.

use askama::Template;
use hyper::StatusCode;

use super::assets;
use super::open_page::{OpenPage, show};
use super::page_request::Result;
use super::problems::Problems;
use crate::texts;

/// The page for signing in.
#[derive(Template)]
#[template(path = "sign_in.html")]
pub(crate) struct SignInPage {
    pub(crate) assets: &'static str,
    pub(crate) email: String,
    pub(crate) to: String,
    /// A form that was sent after the session had ended.
    pub(crate) kept: String,
    pub(crate) problems: Problems,
}

/// The page for signing in, in answer to a form that came without a session: what was typed is kept, and can be sent after
/// signing in again.
pub(crate) async fn keep(mut request: OpenPage) -> Result {
    let form = request.form().await?;
    let kept = form.query();
    let to = destination(request.parts.uri.path());
    let problems = Problems::with(texts::SIGNED_OUT_MEANWHILE);
    let mut response = show(&SignInPage { assets: assets::HASH, email: String::new(), to, kept, problems })?;
    *response.status_mut() = StatusCode::UNAUTHORIZED;
    Ok(response)
}

/// Where to go after signing in: to a page of an organization, never to another site.
pub(crate) fn destination(to: &str) -> String {
    let is_page = to.starts_with("/o/") && !to.contains(['\\', '\r', '\n', '\t']);
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
        ] {
            assert_eq!(destination(other), "/", "{other}");
        }
    }
}
