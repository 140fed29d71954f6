//! The credentials of a client as they were sent.

use zeroize::Zeroizing;

/// The credentials of a client as they were sent.
#[derive(Default, PartialEq, Eq)]
pub struct ClientCredentials {
    /// The client's id.
    pub id: Option<String>,
    /// The client's secret.
    pub secret: Option<Zeroizing<String>>,
    /// Whether the client tries to authenticate itself. A refresh request may only name the client.
    pub is_attempt: bool,
}

impl ClientCredentials {
    /// The name under which failures are counted; requests without a name are counted together.
    pub(crate) fn name(&self) -> &str {
        self.id.as_deref().unwrap_or_default()
    }
}
