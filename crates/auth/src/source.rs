//! Where a request comes from.

use std::net::IpAddr;

/// Where a request comes from, and its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The client's address.
    pub address: IpAddr,
    /// The request's id; none outside of the HTTP layers.
    pub request_id: Option<String>,
}

impl Source {
    /// The request's id as text.
    pub fn request_id(&self) -> &str {
        self.request_id.as_deref().unwrap_or("-")
    }
}
