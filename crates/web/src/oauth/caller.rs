//! The caller: a client with an access token or a person with a session token, both in the `Authorization` header.

use domain::{Actor, ActorKind, ClientId, OrgId, Scope, Scopes, SessionId};
use hyper::HeaderMap;
use hyper::header::AUTHORIZATION;

use super::AuthorizationServer;
use super::refusals::{Reason, Refused, Source};
use super::session::is_session_token;
use crate::http::error::Error;

/// The caller and its scopes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The organization whose data the caller may use; the data of any other is not found.
    pub organization: OrgId,
    /// The client or the person.
    pub actor: Actor,
    /// The scopes of the token.
    pub scopes: Scopes,
    /// The session of a person; a client has none.
    pub session: Option<SessionId>,
}

impl Caller {
    /// Refuses a caller that has none of these scopes.
    pub fn require_any(&self, scopes: &'static [Scope]) -> Result<(), domain::Error> {
        self.scopes.require_any(scopes)
    }
}

/// The access token of a request: from the header only, never from the body or the query (RFC 6750, section 2).
/// Several headers count as none, since neither takes precedence.
fn bearer(headers: &HeaderMap) -> Result<&str, Error> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let none = Error::Unauthenticated { token_sent: false };
    let Some(value) = values.next() else { return Err(none) };
    let bad = Error::Unauthenticated { token_sent: true };
    if values.next().is_some() {
        return Err(bad);
    }
    let value = value.to_str().map_err(|_| bad.clone())?;
    match value.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => Ok(token.trim_matches(' ')),
        _ if value.eq_ignore_ascii_case("bearer") => Err(bad),
        _ => Err(none),
    }
}

impl AuthorizationServer {
    /// The caller of a request, from its headers.
    pub(crate) async fn caller(&self, headers: &HeaderMap, source: &Source) -> Result<Caller, Error> {
        let token = bearer(headers)?;
        let known = match is_session_token(token) {
            true => self.session_caller(token).await?,
            false => self.verified(token).await?,
        };
        match known {
            Ok(caller) => Ok(caller),
            Err(refused) => {
                self.note_refusal(&refused, source);
                Err(Error::Unauthenticated { token_sent: true })
            }
        }
    }

    /// Records a refusal of a known caller.
    pub(crate) fn note_refused_call(&self, caller: &Caller, error: &Error, source: &Source) {
        let refused = match error {
            Error::Domain(domain::Error::Forbidden(missing)) => {
                Refused::new(Reason::InsufficientScope).scope(*missing)
            }
            Error::Domain(domain::Error::ForbiddenWithoutAny(scopes)) => {
                Refused::new(Reason::InsufficientScope).scope(scopes.iter().take(1).copied().collect())
            }
            Error::RateLimited { .. } => Refused::new(Reason::RateLimited),
            _ => return,
        };
        let refused = match caller.actor.kind {
            ActorKind::Client => refused.of(caller.organization, &ClientId(caller.actor.id.clone())),
            ActorKind::User | ActorKind::Operator => refused,
        };
        self.note_refusal(&refused, source);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(values: &[&str]) -> HeaderMap {
        values.iter().map(|value| (AUTHORIZATION, value.parse().unwrap())).collect()
    }

    #[test]
    fn the_token_comes_from_one_bearer_header() {
        for value in ["Bearer abc", "bearer abc", "BEARER abc", "Bearer  abc "] {
            assert_eq!(bearer(&headers(&[value])), Ok("abc"), "{value}");
        }
        for (values, token_sent) in [
            (&[][..], false),
            (&["Basic abc"], false),
            (&["abc"], false),
            (&["Bearer"], true),
            (&["Bearer abc", "Bearer abc"], true),
        ] {
            assert_eq!(bearer(&headers(values)), Err(Error::Unauthenticated { token_sent }), "{values:?}");
        }
    }
}
