//! The caller of a request: the one whose token is in its `Authorization` header.

use auth::refusals::{Reason, Refused};
use auth::{Auth, Caller, Source};
use hyper::HeaderMap;
use hyper::header::AUTHORIZATION;

use crate::error::{Error, Result};

/// The caller of a request with these headers.
pub(crate) async fn of(auth: &Auth, headers: &HeaderMap, source: &Source) -> Result<Caller> {
    Ok(auth::identify(auth, bearer(headers)?, source).await?)
}

/// Records that a known caller was refused.
pub(crate) fn note_refusal(auth: &Auth, caller: &Caller, error: &Error, source: &Source) {
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
    auth.refusals.note(&refused.of_caller(caller), source);
}

/// The access token of a request: from the header only, never from the body or the query (RFC 6750, section 2).
/// Several headers count as none, since neither takes precedence.
fn bearer(headers: &HeaderMap) -> Result<&str> {
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
