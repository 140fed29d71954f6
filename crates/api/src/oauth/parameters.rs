//! Reading a request of an OAuth endpoint: JSON or a form, with client credentials in the body or by HTTP Basic.
//!
//! Unknown parameters are ignored, as OAuth requires; each parameter may be sent only once; null and empty count as
//! absent (RFC 6749, section 3.2).

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use auth::clients::ClientCredentials;
use axum::extract::Request;
use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use http::app::App;
use http::json::{self, Json};
use http::{body, limits};
use hyper::HeaderMap;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use percent_encoding::percent_decode;
use zeroize::Zeroizing;

use super::description::Description;
use super::token_error::TokenError;

/// Base64 with or without padding, because clients send both.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

const BAD_BASIC: TokenError = TokenError::InvalidRequest(Description::Header);
const REPEATED: TokenError = TokenError::InvalidRequest(Description::Repeated);

/// The one parameter that may be repeated (RFC 8707, section 2).
const RESOURCE: &str = "resource";

/// The parameters with a client's credentials.
const CREDENTIALS: &[&str] = &["client_id", "client_secret"];

/// The maximum number of parameters, unknown ones included.
const MOST_PARAMETERS: usize = 1_000;

/// The media types of a body for [`body::read`]: JSON as in the interface, and a form as OAuth clients send.
const MEDIA_TYPES: &[&str] = &["application/json", "application/x-www-form-urlencoded"];

/// The parameters of a well-formed request.
pub(super) struct Parameters {
    /// The client's credentials.
    pub(super) client: ClientCredentials,
    /// Whether the request had an `Authorization` header.
    pub(super) by_header: bool,
    /// The values of `resource`.
    pub(super) resources: Vec<String>,
    others: HashMap<String, String>,
}

impl Parameters {
    /// Reads the body of a request. In a JSON body, members other than `known` and the client's credentials may have
    /// any type.
    pub(super) async fn read(app: &App, request: Request, known: &[&str]) -> Result<Self, TokenError> {
        let (parts, body) = request.into_parts();
        let timeout = app.settings().body_timeout;
        let body = body::read(&parts.headers, body, limits::OAUTH_BODY_BYTES, MEDIA_TYPES, timeout).await?;
        Self::parse(&parts.headers, &body, known)
    }

    fn parse(headers: &HeaderMap, body: &[u8], known: &[&str]) -> Result<Self, TokenError> {
        let known = |name: &str| known.contains(&name) || CREDENTIALS.contains(&name);
        let pairs = if is_json(headers) { json(body, known)? } else { form(body, known)? };
        let (mut others, mut resources) = (HashMap::new(), Vec::new());
        for (name, value) in pairs.into_iter().filter(|(_, value)| !value.is_empty()) {
            if name == RESOURCE {
                resources.push(value);
            } else {
                others.insert(name, value);
            }
        }
        let (id, secret) = (others.remove("client_id"), others.remove("client_secret").map(Zeroizing::new));
        let in_body = ClientCredentials { id, is_attempt: secret.is_some(), secret };
        let client = client_credentials(headers, in_body)?;
        Ok(Self { client, by_header: headers.contains_key(AUTHORIZATION), resources, others })
    }

    /// Removes a parameter and returns its value, if it was sent.
    pub(super) fn take(&mut self, name: &str) -> Option<String> {
        self.others.remove(name)
    }
}

/// Whether the body is JSON. Its media type was already checked: one of the two, or missing if there is no body.
fn is_json(headers: &HeaderMap) -> bool {
    let sent = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    let json = b"application/json";
    sent.get(..json.len()).is_some_and(|start| start.eq_ignore_ascii_case(json))
}

/// Combines the client's credentials in the header and in the body.
fn client_credentials(
    headers: &HeaderMap,
    in_body: ClientCredentials,
) -> Result<ClientCredentials, TokenError> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Ok(in_body) };
    if values.next().is_some() {
        return Err(BAD_BASIC);
    }
    let Some(in_header) = basic(value.as_bytes())? else {
        // The header uses another authentication scheme, which is not supported, whatever the body contains.
        return Ok(ClientCredentials { is_attempt: true, ..ClientCredentials::default() });
    };
    if in_body.secret.is_some() {
        return Err(TokenError::InvalidRequest(Description::TwoMethods));
    }
    if in_body.id.is_some() && in_body.id != in_header.id {
        return Err(TokenError::InvalidRequest(Description::TwoClients));
    }
    Ok(in_header)
}

/// Reads HTTP Basic credentials; id and secret are form-encoded in it (RFC 6749, section 2.3.1). `None` for another
/// scheme.
fn basic(value: &[u8]) -> Result<Option<ClientCredentials>, TokenError> {
    let scheme_end = value.iter().position(|byte| *byte == b' ').unwrap_or(value.len());
    let (scheme, rest) = value.split_at_checked(scheme_end).ok_or(BAD_BASIC)?;
    if !scheme.eq_ignore_ascii_case(b"basic") {
        return Ok(None);
    }
    let decoded = Zeroizing::new(BASE64.decode(rest.trim_ascii()).map_err(|_| BAD_BASIC)?);
    let colon = decoded.iter().position(|byte| *byte == b':').ok_or(BAD_BASIC)?;
    let (id, secret) = decoded.split_at_checked(colon).ok_or(BAD_BASIC)?;
    let id = form_decode(id)?;
    let secret = form_decode(secret.get(1..).unwrap_or_default())?;
    Ok(Some(ClientCredentials {
        id: (!id.is_empty()).then_some(id),
        secret: (!secret.is_empty()).then(|| Zeroizing::new(secret)),
        is_attempt: true,
    }))
}

fn form_decode(part: &[u8]) -> Result<String, TokenError> {
    let spaced: Vec<u8> = part.iter().map(|byte| if *byte == b'+' { b' ' } else { *byte }).collect();
    percent_decode(&spaced).decode_utf8().map(Cow::into_owned).map_err(|_| BAD_BASIC)
}

/// The known parameters of a form; others may be sent, but each only once.
fn form(body: &[u8], known: impl Fn(&str) -> bool) -> Result<Vec<(String, String)>, TokenError> {
    let (mut seen, mut pairs) = (HashSet::new(), Vec::new());
    for (name, value) in form_urlencoded::parse(body) {
        if known(&name) {
            pairs.push((name.clone().into_owned(), value.into_owned()));
        }
        note(name, &mut seen)?;
    }
    Ok(pairs)
}

/// The known members of a JSON object, each a string. Others may have any type, but may be sent only once.
fn json(body: &[u8], known: impl Fn(&str) -> bool) -> Result<Vec<(String, String)>, TokenError> {
    let Ok(Json::Object(members)) = json::parse(body) else {
        return Err(TokenError::InvalidRequest(Description::NotAnObject));
    };
    let (mut seen, mut pairs) = (HashSet::new(), Vec::new());
    for (name, value) in members {
        match value {
            Json::String(value) if known(&name) => {
                pairs.push((name.clone().into_owned(), value.into_owned()));
            }
            other if known(&name) && other != Json::Null => {
                return Err(TokenError::InvalidRequest(Description::NotAString));
            }
            _ => {}
        }
        if name == RESOURCE && !seen.insert(name.clone()) {
            return Err(REPEATED);
        }
        note(name, &mut seen)?;
    }
    Ok(pairs)
}

/// Records a parameter's name: a second one with the same name is refused, and so are too many.
fn note<'b>(name: Cow<'b, str>, seen: &mut HashSet<Cow<'b, str>>) -> Result<(), TokenError> {
    if seen.len() >= MOST_PARAMETERS {
        return Err(TokenError::InvalidRequest(Description::TooManyParameters));
    }
    let may_repeat = name == RESOURCE;
    if seen.insert(name) || may_repeat { Ok(()) } else { Err(REPEATED) }
}
