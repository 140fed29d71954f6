//! Links with a secret: an invitation, and a reset link. Each leads to a page of the console; the token is in the fragment,
//! which a browser does not send.

use crate::public_url::PublicUrl;
use crate::secret::{InvitationToken, Kind, ResetToken, Secret};

/// The path of the page that accepts an invitation.
pub const INVITATION: &str = "/invitation";

/// The path of the page on which a person chooses another password.
pub const RESET: &str = "/reset-password";

/// The link of an invitation to the service at this URL.
pub fn invitation(public_url: &PublicUrl, token: &InvitationToken) -> String {
    link(public_url, INVITATION, token)
}

/// The link with which a person of the service at this URL chooses another password.
pub fn reset(public_url: &PublicUrl, token: &ResetToken) -> String {
    link(public_url, RESET, token)
}

fn link<K: Kind>(public_url: &PublicUrl, path: &str, token: &Secret<K>) -> String {
    format!("{}#{}", public_url.to(path), token.expose())
}
