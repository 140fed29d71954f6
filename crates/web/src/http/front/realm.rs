//! The class of a path's responses. It determines who may cache a response, whether it may be compressed, and whether
//! a script of another origin may read it.
//!
//! The paths with secrets are listed here instead of in their handlers, so that a handler that omits a header leaks
//! nothing.

use hyper::Method;

/// The class of the responses below a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Realm {
    /// Tokens and sessions. Never cached, never compressed (the length of a compressed response can reveal a secret
    /// next to text that an attacker chooses), never readable by a script of another origin.
    SignIn,
    /// Secrets that an administrator sees once. Never cached, never compressed.
    Secrets,
    /// Data of an organization: private to the caller, revalidated each time.
    Data,
    /// Public documents and pages.
    Public,
}

impl Realm {
    /// The realm of a request.
    pub(super) fn of(method: &Method, path: &str) -> Self {
        let Some(path) = path.strip_prefix("/v1/") else { return Self::Public };
        match path.split('/').next().unwrap_or_default() {
            "oauth" | "session" => Self::SignIn,
            "invitations" => Self::Secrets,
            "clients" if !method.is_safe() => Self::Secrets,
            _ => Self::Data,
        }
    }

    pub(super) fn is_secret(self) -> bool {
        matches!(self, Self::SignIn | Self::Secrets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_one_realm() {
        let of = |path| Realm::of(&Method::POST, path);
        for path in ["/v1/oauth/token", "/v1/oauth/revoke", "/v1/oauth/introspect", "/v1/session"] {
            assert_eq!(of(path), Realm::SignIn, "{path}");
        }
        for path in ["/v1/invitations", "/v1/invitations/x/accept", "/v1/clients", "/v1/clients/x/secrets"] {
            assert_eq!(of(path), Realm::Secrets, "{path}");
        }
        assert_eq!(Realm::of(&Method::GET, "/v1/clients"), Realm::Data);
        assert_eq!(of("/v1/incidents"), Realm::Data);
        assert_eq!(of("/v1/sessions"), Realm::Data);
        for path in ["/", "/openapi.json", "/.well-known/jwks.json", "/v1", "/v2/oauth"] {
            assert_eq!(of(path), Realm::Public, "{path}");
        }
    }
}
