//! The headers in which proxies report their clients: `X-Forwarded-For` with `X-Forwarded-Proto`, and `Forwarded` (RFC
//! 7239).
//!
//! Each proxy appends the client it saw, so only the end of a list is reliable: it is read from the right, past the
//! addresses of trusted proxies, up to the first one that is not trusted. Anything to the left of it may have been
//! written by the client itself.

use std::net::{IpAddr, SocketAddr};

use hyper::HeaderMap;
use hyper::header::{FORWARDED, HeaderName};

use crate::elements::elements;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const X_FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The client that the proxies report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ForwardedClient {
    /// The client, or the last trusted proxy before a hop without an address.
    pub(super) address: IpAddr,
    /// Whether the client used HTTPS to the first trusted proxy; `None` when it is not reported.
    pub(super) is_https: Option<bool>,
}

/// Reads the two `X-Forwarded-` headers; `None` when neither was sent.
pub(super) fn by_x_forwarded(
    headers: &HeaderMap,
    nearest: IpAddr,
    is_trusted: impl Fn(IpAddr) -> bool,
) -> Option<ForwardedClient> {
    // Addresses and schemes in quotes have no comma. An entry with one is split into pieces that are no addresses.
    let hops: Vec<_> = elements(headers, &X_FORWARDED_FOR).collect();
    let schemes: Vec<_> = elements(headers, &X_FORWARDED_PROTO).collect();
    if hops.is_empty() && schemes.is_empty() {
        return None;
    }
    let mut address = nearest;
    for hop in hops.iter().rev() {
        let Some(found) = hop.and_then(node) else { break };
        address = found;
        if !is_trusted(found) {
            break;
        }
    }
    // Usually there is one value. With several, the client's cannot be identified, so all must be `https`.
    let is_https = |scheme: &Option<&str>| scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("https"));
    let is_https = if schemes.is_empty() { None } else { Some(schemes.iter().all(is_https)) };
    Some(ForwardedClient { address, is_https })
}

/// Reads the `Forwarded` header; `None` when it was not sent.
pub(super) fn by_forwarded(
    headers: &HeaderMap,
    nearest: IpAddr,
    is_trusted: impl Fn(IpAddr) -> bool,
) -> Option<ForwardedClient> {
    let hops: Vec<_> = elements(headers, &FORWARDED).collect();
    if hops.is_empty() {
        return None;
    }
    let mut told = ForwardedClient { address: nearest, is_https: None };
    for hop in hops.iter().rev() {
        let Some(hop) = *hop else { break };
        // The element that names the client was written by the proxy that the client connected to.
        told.is_https = parameter(hop, "proto").map(|scheme| scheme.eq_ignore_ascii_case("https"));
        let Some(found) = parameter(hop, "for").and_then(node) else { break };
        told.address = found;
        if !is_trusted(found) {
            break;
        }
    }
    Some(told)
}

/// A parameter of an element such as `for="[2001:db8::1]:4711";proto=https`.
fn parameter<'e>(element: &'e str, name: &str) -> Option<&'e str> {
    let pairs = element.split(';').filter_map(|pair| pair.split_once('='));
    let mut values =
        pairs.filter(|(key, _)| key.trim().eq_ignore_ascii_case(name)).map(|(_, value)| value.trim());
    let value = values.next()?;
    // A parameter may not occur twice in an element, so neither value is used.
    if values.next().is_some() {
        return None;
    }
    Some(value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value))
}

/// Parses an address with or without a port; `None` for `unknown` and obfuscated names.
fn node(text: &str) -> Option<IpAddr> {
    let address = text
        .parse::<IpAddr>()
        .or_else(|_| text.parse::<SocketAddr>().map(|socket| socket.ip()))
        .or_else(|_| text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or("").parse());
    address.ok().map(|address| address.to_canonical())
}
