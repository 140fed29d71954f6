//! Where a request comes from: the client's address, and whether the transport was private.
//!
//! Both come from the connection, unless its peer is a proxy that the operator trusts: then they come from the headers
//! that the proxy sets. From any other peer these headers are ignored, since any client can send them.

mod forwarded;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use axum::extract::Request;
use hyper::HeaderMap;
use ipnet::{IpNet, Ipv4Net};

use forwarded::ForwardedClient;

/// The peer of a request's connection. The server adds it to the request's extensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer {
    /// The client's address; an IPv4-mapped IPv6 address is the IPv4 address.
    pub address: IpAddr,
    /// Whether the client spoke HTTPS.
    pub is_secure: bool,
}

impl Peer {
    /// The peer of this request; without a connection, as in tests, this machine.
    pub fn of(request: &Request) -> Self {
        let unknown = Self { address: IpAddr::V4(Ipv4Addr::LOCALHOST), is_secure: false };
        request.extensions().get::<Self>().copied().unwrap_or(unknown)
    }

    /// Whether the request stayed on this machine or was encrypted, so that its token could not be read on the
    /// network.
    pub(crate) fn is_private(self) -> bool {
        self.is_secure || self.address.is_loopback()
    }

    /// The network that counts as one unknown client: an IPv4 address, or the /64 from which an IPv6 host can choose
    /// its addresses.
    pub(crate) fn network(self) -> String {
        match self.address {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).to_string(),
        }
    }

    /// The client behind this peer, as far as trusted proxies report it.
    fn behind(self, trusted: &[IpNet], headers: &HeaderMap) -> Self {
        if !contains(trusted, self.address) {
            return self;
        }
        let is_trusted = |address| contains(trusted, address);
        let both = (
            forwarded::by_x_forwarded(headers, self.address, is_trusted),
            forwarded::by_forwarded(headers, self.address, is_trusted),
        );
        match both {
            (None, None) => self,
            (Some(told), None) | (None, Some(told)) => self.told(told),
            (Some(one), Some(other)) if one == other => self.told(one),
            // A proxy sets one kind of header and passes the other on as the client sent it. They cannot be
            // distinguished, so neither is used, and the client counts as unknown.
            _ => Self { address: IpAddr::V4(Ipv4Addr::UNSPECIFIED), is_secure: false },
        }
    }

    fn told(self, told: ForwardedClient) -> Self {
        Self { address: told.address, is_secure: told.is_https.unwrap_or(self.is_secure) }
    }
}

/// Determines the client and adds it to the request's extensions. Runs once, before everything else.
pub(crate) fn resolve(request: &mut Request, trusted: &[IpNet]) -> Peer {
    let direct = Peer::of(request);
    if trusted.is_empty() {
        return direct;
    }
    let peer = direct.behind(trusted, request.headers());
    request.extensions_mut().insert(peer);
    peer
}

/// Reads a network, such as `10.0.0.0/8` or `2001:db8::/32`, or a single address. An IPv4-mapped IPv6 network
/// (`::ffff:10.0.0.0/104`) becomes the IPv4 network, because that is how addresses are compared.
pub fn network(text: &str) -> Option<IpNet> {
    let net: IpNet = match text.parse::<IpAddr>() {
        Ok(address) => address.into(),
        Err(_) => text.parse().ok()?,
    };
    if let (IpAddr::V4(address), Some(length @ 0..=32)) =
        (net.addr().to_canonical(), net.prefix_len().checked_sub(96))
        && net.addr().is_ipv6()
    {
        return Ipv4Net::new(address, length).ok().map(|net| IpNet::V4(net).trunc());
    }
    Some(net.trunc())
}

fn contains(trusted: &[IpNet], address: IpAddr) -> bool {
    trusted.iter().any(|net| net.contains(&address))
}

#[cfg(test)]
mod tests;
