//! Parses the values of the layers into settings.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use auth::{MasterKey, PublicUrl};
use ipnet::IpNet;

use super::layer::{Fault, Raw, Values};

/// Reads settings one by one and collects what is wrong.
pub(crate) struct Reader<'v> {
    values: &'v Values,
    faults: Vec<Fault>,
}

impl<'v> Reader<'v> {
    pub(crate) fn new(values: &'v Values) -> Self {
        Self { values, faults: Vec::new() }
    }

    pub(crate) fn faults(self) -> Vec<Fault> {
        self.faults
    }

    /// Notes a fault at the place where the setting comes from.
    pub(crate) fn fault(&mut self, name: &str, detail: &str) {
        let at = self.values.get(name).map_or_else(|| name.to_owned(), |(_, source)| source.to_string());
        let is_named = at.to_lowercase().replace('-', "_").contains(name);
        let name = if is_named { String::new() } else { format!("{name} ") };
        self.faults.push(Fault::new(at, format!("{name}{detail}")));
    }

    fn raw(&self, name: &str) -> Option<&'v Raw> {
        self.values.get(name).map(|(raw, _)| raw)
    }

    /// A text; empty is none.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        match self.raw(name) {
            Some(Raw::Text(text)) if !text.is_empty() => Some(text.clone()),
            _ => None,
        }
    }

    /// A text that `read` understands; its error is a sentence.
    pub(crate) fn parsed<T>(&mut self, name: &str, read: impl Fn(&str) -> Result<T, String>) -> Option<T> {
        match read(&self.text(name)?) {
            Ok(value) => Some(value),
            Err(detail) => {
                self.fault(name, &detail);
                None
            }
        }
    }

    /// One of these words.
    pub(crate) fn one_of(&mut self, name: &str, words: &[&str]) -> Option<String> {
        let text = self.text(name).unwrap_or_default();
        if words.contains(&text.as_str()) {
            return Some(text);
        }
        self.fault(name, &format!("must be {}", words.join(", ")));
        None
    }

    /// A number from 0 to 4294967295.
    pub(crate) fn whole(&mut self, name: &str) -> u32 {
        let Some(Raw::Whole(number)) = self.raw(name) else { return 0 };
        u32::try_from(*number).unwrap_or_else(|_| {
            self.fault(name, &format!("must be from 0 to {}", u32::MAX));
            0
        })
    }

    /// A time of a second or more.
    pub(crate) fn seconds(&mut self, name: &str) -> Duration {
        let seconds = self.whole(name);
        if seconds == 0 {
            self.fault(name, "must be 1 or more");
        }
        Duration::from_secs(seconds.into())
    }

    pub(crate) fn yes(&self, name: &str) -> bool {
        matches!(self.raw(name), Some(Raw::Yes(true)))
    }

    /// Texts that `read` understands.
    pub(crate) fn list<T>(&mut self, name: &str, read: impl Fn(&str) -> Result<T, String>) -> Vec<T> {
        let Some(Raw::List(entries)) = self.raw(name) else { return Vec::new() };
        let mut found = Vec::new();
        for entry in entries {
            match read(entry) {
                Ok(value) => found.push(value),
                Err(detail) => self.fault(name, &format!("{detail}: {entry}")),
            }
        }
        found
    }
}

pub(crate) fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "must be an IP address with a port, such as 127.0.0.1:8080".to_owned())
}

pub(crate) fn network(text: &str) -> Result<IpNet, String> {
    http::network(text).ok_or_else(|| "must be networks or addresses, such as 10.0.0.0/8".to_owned())
}

pub(crate) fn master_key(text: &str) -> Result<Arc<MasterKey>, String> {
    MasterKey::parse(text).map(Arc::new).map_err(|error| error.to_string())
}

/// A PostgreSQL URL. Errors in it are reported when it is opened, without the password.
pub(crate) fn postgres(text: &str) -> Result<String, String> {
    if text.starts_with("postgres://") || text.starts_with("postgresql://") {
        Ok(text.to_owned())
    } else {
        Err("must be a URL that starts with postgres://".to_owned())
    }
}

/// A web origin as browsers send it: a scheme, a host and perhaps a port.
pub(crate) fn origin(text: &str) -> Result<String, String> {
    let wrong = || "must be origins such as https://app.example, without a path".to_owned();
    let url = http_url(text).map_err(|_| wrong())?;
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    if rest.contains('/') || text.chars().any(char::is_uppercase) { Err(wrong()) } else { Ok(url) }
}

/// The maximum length of the path of the public URL.
const PUBLIC_PATH_BYTES: usize = 100;

/// An issuer (RFC 8414, section 2): no query and no fragment. The slash at its end is taken away.
pub(crate) fn public_url(text: &str) -> Result<String, String> {
    let url = http_url(text)?;
    if url.contains(['?', '#', '@']) {
        return Err("must have no query, fragment or password".to_owned());
    }
    let url = url.trim_end_matches('/').to_owned();
    let is_plain = |part: &str| {
        let is_unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        !["", ".", ".."].contains(&part) && part.bytes().all(is_unreserved)
    };
    let is_short = PublicUrl::new(&url).path().len() <= PUBLIC_PATH_BYTES;
    match is_short && PublicUrl::new(&url).path().split('/').skip(1).all(is_plain) {
        true => Ok(url),
        // It stands in pages, cookies and the configuration of proxies.
        false => {
            Err("must have a path of at most 100 letters, digits, hyphens, dots, underscores and tildes"
                .to_owned())
        }
    }
}

/// An absolute URL for HTTP with a host.
pub(crate) fn http_url(text: &str) -> Result<String, String> {
    let wrong = || "must be a URL such as https://bailiwick.example".to_owned();
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).ok_or_else(wrong)?;
    let is_clean = text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte));
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let authority = authority.rsplit('@').next().unwrap_or_default();
    let host = host(authority);
    let port = authority.get(host.len()..).unwrap_or_default();
    let is_port = port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let is_name =
        |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte));
    let is_host = match bare.len() < host.len() {
        true => bare.parse::<std::net::Ipv6Addr>().is_ok(),
        false => !bare.is_empty() && is_name(bare),
    };
    if is_clean && is_port && is_host { Ok(text.to_owned()) } else { Err(wrong()) }
}

/// The host at the beginning of `host:port/path`, with its brackets if it is an IPv6 address.
pub(crate) fn host(rest: &str) -> &str {
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    match (authority.starts_with('['), authority.find(']')) {
        (true, Some(end)) => authority.get(..=end).unwrap_or_default(),
        _ => authority.split(':').next().unwrap_or_default(),
    }
}
