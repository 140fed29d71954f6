//! Where a request comes from: the client's address, and whether nobody could read it on the way.

use std::net::{IpAddr, Ipv4Addr};

use axum::extract::Request;

/// The other end of a request's connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Peer {
    /// The client's address.
    pub(crate) address: IpAddr,
    /// Whether the client spoke HTTPS.
    pub(crate) is_secure: bool,
}

impl Peer {
    /// Where this request comes from; without a connection, as in tests, from this machine.
    #[allow(dead_code, reason = "the throttle of failures asks for it")]
    pub(crate) fn of(request: &Request) -> Self {
        let unknown = Self { address: IpAddr::V4(Ipv4Addr::LOCALHOST), is_secure: false };
        request.extensions().get::<Self>().copied().unwrap_or(unknown)
    }
}
