//! The link of an invitation. It leads to a page of the console; the token is in the fragment, which a browser does not send.

use auth::secret::InvitationToken;

/// The path of the page.
pub const PATH: &str = "/invitation";

/// The link of an invitation to the service at this URL.
pub fn link(public_url: &str, token: &InvitationToken) -> String {
    format!("{}{PATH}#{}", public_url.trim_end_matches('/'), token.expose())
}
