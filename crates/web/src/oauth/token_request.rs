//! Reading a token request: JSON or a form, credentials in the body or by HTTP Basic.
//!
//! Unknown parameters are ignored, as OAuth demands; every parameter may stand there once only;
//! null and empty count as absent (RFC 6749, section 3.2).

use std::collections::HashMap;
use std::fmt;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use hyper::HeaderMap;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use percent_encoding::percent_decode;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use zeroize::Zeroizing;

use super::token_error::TokenError;

/// Base64 with or without padding: clients differ.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

const NOT_AN_OBJECT: TokenError = TokenError::InvalidRequest("The body is not a JSON object.");
const NOT_A_STRING: TokenError = TokenError::InvalidRequest("A parameter is not a string.");
const REPEATED: TokenError = TokenError::InvalidRequest("A parameter is repeated.");
const TWO_METHODS: TokenError =
    TokenError::InvalidRequest("The client authenticates in the header and in the body.");
const TWO_CLIENTS: TokenError = TokenError::InvalidRequest("The header and the body name different clients.");
const BAD_BASIC: TokenError = TokenError::InvalidRequest("The Authorization header is malformed.");
const NO_GRANT_TYPE: TokenError = TokenError::InvalidRequest("grant_type is missing.");
const NO_REFRESH_TOKEN: TokenError = TokenError::InvalidRequest("refresh_token is missing.");

/// The parameters that mean something here.
const KNOWN: [&str; 5] = ["grant_type", "client_id", "client_secret", "refresh_token", "scope"];

/// The two types of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MediaType {
    /// `application/json`, as the interface shows.
    Json,
    /// `application/x-www-form-urlencoded`, as OAuth clients send.
    Form,
}

impl MediaType {
    /// The types as [`crate::body::read`] takes them.
    pub(super) const ALL: &[&str] = &["application/json", "application/x-www-form-urlencoded"];

    /// The type of a request's body, which is known to be one of the two or, without a body, missing.
    fn of(headers: &HeaderMap) -> Self {
        let sent = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
        let json = b"application/json";
        match sent.get(..json.len()) {
            Some(start) if start.eq_ignore_ascii_case(json) => Self::Json,
            _ => Self::Form,
        }
    }
}

/// A token request, well formed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TokenRequest {
    /// What is presented.
    pub(super) grant: GrantType,
    /// How the client names and proves itself.
    pub(super) client: ShownClient,
    /// The scopes asked for.
    pub(super) scope: Option<String>,
}

/// What is exchanged for tokens.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum GrantType {
    /// The client's own credentials.
    ClientCredentials,
    /// A refresh token.
    RefreshToken(Zeroizing<String>),
}

/// How a client names and proves itself.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ShownClient {
    /// `client_id`, if it was sent.
    pub(super) id: Option<String>,
    /// `client_secret`, if it was sent.
    pub(super) secret: Option<Zeroizing<String>>,
    /// Whether the request had an `Authorization` header.
    pub(super) by_header: bool,
}

impl TokenRequest {
    /// Reads a request.
    pub(super) fn parse(headers: &HeaderMap, body: &[u8]) -> Result<Self, TokenError> {
        let mut parameters = match MediaType::of(headers) {
            MediaType::Json => json(body)?,
            MediaType::Form => form(body)?,
        };
        let mut take = |name: &str| parameters.remove(name).filter(|value| !value.is_empty());
        let in_body = ShownClient {
            id: take("client_id"),
            secret: take("client_secret").map(Zeroizing::new),
            by_header: false,
        };
        let client = shown_client(headers, in_body)?;
        let grant = match take("grant_type").as_deref() {
            None => return Err(NO_GRANT_TYPE),
            Some("client_credentials") => GrantType::ClientCredentials,
            Some("refresh_token") => {
                GrantType::RefreshToken(Zeroizing::new(take("refresh_token").ok_or(NO_REFRESH_TOKEN)?))
            }
            Some(_) => return Err(TokenError::UnsupportedGrantType),
        };
        Ok(Self { grant, client, scope: take("scope") })
    }
}

/// Joins what the header and the body say about the client.
fn shown_client(headers: &HeaderMap, in_body: ShownClient) -> Result<ShownClient, TokenError> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Ok(in_body) };
    if values.next().is_some() {
        return Err(BAD_BASIC);
    }
    let shown = basic(value.as_bytes())?;
    if in_body.secret.is_some() {
        return Err(TWO_METHODS);
    }
    if in_body.id.is_some() && in_body.id != shown.id {
        return Err(TWO_CLIENTS);
    }
    Ok(shown)
}

/// Reads HTTP Basic credentials; id and secret are form-encoded in it (RFC 6749, section 2.3.1).
fn basic(value: &[u8]) -> Result<ShownClient, TokenError> {
    let scheme_end = value.iter().position(|byte| *byte == b' ').unwrap_or(value.len());
    let (scheme, rest) = value.split_at_checked(scheme_end).ok_or(BAD_BASIC)?;
    if !scheme.eq_ignore_ascii_case(b"basic") {
        // Another way of authentication, which this endpoint does not have.
        return Err(TokenError::InvalidClient { by_header: true });
    }
    let decoded = Zeroizing::new(BASE64.decode(rest.trim_ascii()).map_err(|_| BAD_BASIC)?);
    let colon = decoded.iter().position(|byte| *byte == b':').ok_or(BAD_BASIC)?;
    let (id, secret) = decoded.split_at_checked(colon).ok_or(BAD_BASIC)?;
    let id = form_decode(id)?;
    let secret = form_decode(secret.get(1..).unwrap_or_default())?;
    Ok(ShownClient {
        id: (!id.is_empty()).then_some(id),
        secret: (!secret.is_empty()).then(|| Zeroizing::new(secret)),
        by_header: true,
    })
}

fn form_decode(part: &[u8]) -> Result<String, TokenError> {
    let spaced: Vec<u8> = part.iter().map(|byte| if *byte == b'+' { b' ' } else { *byte }).collect();
    percent_decode(&spaced).decode_utf8().map(std::borrow::Cow::into_owned).map_err(|_| BAD_BASIC)
}

fn form(body: &[u8]) -> Result<HashMap<String, String>, TokenError> {
    let mut parameters = HashMap::new();
    for (name, value) in form_urlencoded::parse(body) {
        if parameters.insert(name.into_owned(), value.into_owned()).is_some() {
            return Err(REPEATED);
        }
    }
    Ok(parameters)
}

fn json(body: &[u8]) -> Result<HashMap<String, String>, TokenError> {
    let members: Members = serde_json::from_slice(body).map_err(|_| NOT_AN_OBJECT)?;
    let mut seen = HashMap::new();
    for (name, value) in members.0 {
        if seen.insert(name, value).is_some() {
            return Err(REPEATED);
        }
    }
    let mut parameters = HashMap::new();
    for name in KNOWN {
        match seen.remove(name) {
            None | Some(Value::Null) => {}
            Some(Value::String(value)) => {
                parameters.insert(name.to_owned(), value);
            }
            Some(_) => return Err(NOT_A_STRING),
        }
    }
    Ok(parameters)
}

/// The members of a JSON object as they stand there, repeated ones too.
struct Members(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}
