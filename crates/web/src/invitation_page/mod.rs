//! The page that an invitation's link opens. The token is in the fragment, which a browser does not send; the page's
//! script sends it in the body of `POST /v1/invitations/accept`.

use auth::secret::InvitationToken;
use axum::response::{IntoResponse, Response};
use hyper::header::CONTENT_TYPE;

/// The path of the page.
pub(crate) const PATH: &str = "/invitation";

/// The path of its script.
pub(crate) const SCRIPT_PATH: &str = "/invitation/page.js";

/// The path of its style.
pub(crate) const STYLE_PATH: &str = "/invitation/page.css";

/// The link of an invitation to the service at this URL.
pub fn link(public_url: &str, token: &InvitationToken) -> String {
    format!("{}{PATH}#{}", public_url.trim_end_matches('/'), token.expose())
}

/// The page.
pub(crate) async fn page() -> Response {
    asset("text/html; charset=utf-8", include_str!("page.html"))
}

/// Its script.
pub(crate) async fn script() -> Response {
    asset("text/javascript; charset=utf-8", include_str!("page.js"))
}

/// Its style.
pub(crate) async fn style() -> Response {
    asset("text/css; charset=utf-8", include_str!("page.css"))
}

fn asset(media_type: &'static str, text: &'static str) -> Response {
    ([(CONTENT_TYPE, media_type)], text).into_response()
}
