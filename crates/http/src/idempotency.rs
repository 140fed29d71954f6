//! `Idempotency-Key`: a retry of a write that succeeded gets the same answer and changes nothing.
//!
//! The key belongs to the caller. The scopes that a request needed beyond that of its route are stored with its
//! response and required again of a caller that repeats it. A response is replayed only while the caller sees the record
//! that it shows: a record that has been restricted or deleted since is absent, as it is for every other request.
//!
//! The response is stored in the same transaction as the change, so either both are there or neither. A duplicate that
//! arrives in the meantime waits for the lock on the organization's head.

mod in_flight;
mod shown;

use auth::MasterKey;
use axum::http::{HeaderMap, Method, Uri};
use db::Tx;
use domain::{Actor, Author, IncidentNumber, OrgId};
use hyper::StatusCode;
use store::idempotency::Stored;
use store::shown::Shown;

use crate::answer::Answer;
use crate::error::{Error, Result};
use crate::error_codes::ParameterCode;
use crate::json::Json;

pub(crate) use in_flight::{InFlight, RunningWrite};

/// The first byte of an encrypted response.
const SEALED: u8 = 0;

const NAME: &str = "Idempotency-Key";

/// The maximum length of a key in characters.
const MOST_CHARACTERS: usize = 255;

/// A key together with the fingerprint of its request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey {
    key: String,
    fingerprint: [u8; 32],
    /// The record that the path names.
    shown: Option<Shown>,
}

impl IdempotencyKey {
    /// The key for a request with this body; equivalent bodies have the same fingerprint, which nobody can try to guess
    /// without the `seal`.
    pub fn new(key: String, method: &Method, uri: &Uri, body: Option<&Json<'_>>, seal: &MasterKey) -> Self {
        let mut bytes = Vec::with_capacity(1_024);
        bytes.extend_from_slice(method.as_str().as_bytes());
        bytes.push(b' ');
        bytes.extend_from_slice(uri.path_and_query().map_or("", |it| it.as_str()).as_bytes());
        bytes.push(b' ');
        if let Some(body) = body {
            body.canonical(&mut bytes);
        }
        Self { key, fingerprint: seal.mac(&bytes), shown: shown::of_path(uri.path()) }
    }
}

impl IdempotencyKey {
    /// Registers this write among the keyed writes in flight.
    pub(crate) fn enter(&self, running: &InFlight, organization: OrgId, caller: &Actor) -> RunningWrite {
        running.enter(organization, caller, &self.key)
    }

    /// The record that a response shows: the one that was made, or else the one that the path names.
    fn shown(&self, location: Option<&str>) -> Option<Shown> {
        location.and_then(shown::of_path).or_else(|| self.shown.clone())
    }
}

/// Turns a lock timeout into `InProgress` when the same request was being processed all that time. With a key, a head
/// that another process holds is most likely held by the same request too.
pub(crate) fn in_progress(result: Result<Answer>, place: &RunningWrite) -> Result<Answer> {
    match result {
        Err(Error::Domain(domain::Error::HeadBusy)) => Err(Error::InProgress),
        Err(Error::Domain(domain::Error::Unavailable(_))) if place.is_duplicate() => Err(Error::InProgress),
        result => result,
    }
}

/// The key of a request, quoted (the draft's form) or raw (what most clients send): `"k"` is `k`.
pub(crate) fn key(headers: &HeaderMap) -> Result<Option<String>> {
    let mut values = headers.get_all(NAME).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let fault = |detail: &str| Err(Error::parameter(NAME, ParameterCode::Format, detail));
    if values.next().is_some() {
        return fault("must be sent once");
    }
    let sent = value.as_bytes();
    let raw = match sent {
        [b'"', inner @ .., b'"'] => inner,
        _ => sent,
    };
    let is_visible = raw.iter().all(u8::is_ascii_graphic);
    match std::str::from_utf8(raw) {
        Ok(key) if is_visible && (1..=MOST_CHARACTERS).contains(&key.len()) => Ok(Some(key.to_owned())),
        _ => fault("must be 1 to 255 visible ASCII characters, quoted or not"),
    }
}

/// The response that is stored under this key, if there is one. It may show more than the caller may see by now, so the
/// caller needs the scopes that the first request needed, and must see the record. A response without a body shows none.
pub(crate) async fn find(
    tx: &mut Tx,
    organization: OrgId,
    caller: &Author,
    keyed: &IdempotencyKey,
    seal: &MasterKey,
) -> Result<Option<Answer>> {
    let Some(stored) = store::idempotency::find(tx, organization, &caller.actor, &keyed.key).await? else {
        return Ok(None);
    };
    let Some(body) = stored.body else { return Err(domain::Error::ResponseNotKept.into()) };
    if stored.fingerprint != keyed.fingerprint {
        return Err(domain::Error::KeyReused.into());
    }
    if !stored.required_scopes.is_empty() {
        store::access::held(tx, organization, caller).await?.require_all(stored.required_scopes)?;
    }
    if !body.is_empty() {
        let shown = keyed.shown(stored.location.as_deref());
        let named = &stored.incidents;
        store::shown::require_seen(tx, organization, caller, shown.as_ref(), named).await?;
    }
    // A response is JSON or empty, so only an encrypted one begins with this byte.
    let (is_secret, body) = match body.split_first() {
        Some((&SEALED, sealed)) => {
            let opened =
                seal.unseal(&keyed.key, sealed).map_err(|error| Error::internal(error.to_string()))?;
            (true, opened.to_vec())
        }
        _ => (false, body),
    };
    let status = u16::try_from(stored.status).ok().and_then(|status| StatusCode::from_u16(status).ok());
    Ok(Some(Answer {
        status: status.ok_or_else(|| Error::internal("a stored status is damaged"))?,
        location: stored.location,
        etag: stored.etag,
        link: None,
        search_seq: None,
        body: body.into(),
        incidents: stored.incidents,
        is_replay: true,
        is_secret,
        changed_rows: 1,
    }))
}

/// Stores the response in the transaction of the change.
pub(crate) async fn keep(
    tx: &mut Tx,
    organization: OrgId,
    caller: &Author,
    keyed: &IdempotencyKey,
    answer: &Answer,
    seal: &MasterKey,
) -> Result<()> {
    let body = match answer.is_secret {
        true => sealed(tx, keyed, answer, seal)?,
        false => answer.body.to_vec(),
    };
    let stored = Stored {
        fingerprint: keyed.fingerprint.to_vec(),
        status: i64::from(answer.status.as_u16()),
        location: answer.location.clone(),
        etag: answer.etag.clone(),
        body: Some(body),
        incidents: incidents(keyed, answer),
        required_scopes: caller.permissions.required(),
    };
    Ok(store::idempotency::insert(tx, organization, &caller.actor, &keyed.key, &stored).await?)
}

/// The incidents that a response shows or names, each once. One without a body shows none.
fn incidents(keyed: &IdempotencyKey, answer: &Answer) -> Vec<IncidentNumber> {
    if answer.body.is_empty() {
        return Vec::new();
    }
    let shown = keyed.shown(answer.location.as_deref()).and_then(|shown| shown.incident());
    let mut all: Vec<IncidentNumber> = shown.into_iter().chain(answer.incidents.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Encrypts a response that shows a secret, so that it cannot be read in the database.
fn sealed(tx: &Tx, keyed: &IdempotencyKey, answer: &Answer, seal: &MasterKey) -> Result<Vec<u8>> {
    let nonce = tx.random::<12>();
    let random = |bytes: &mut [u8]| bytes.iter_mut().zip(nonce).for_each(|(byte, random)| *byte = random);
    let sealed = seal.seal(&keyed.key, &answer.body, &random);
    let sealed = sealed.map_err(|error| Error::internal(error.to_string()))?;
    Ok([&[SEALED], sealed.as_slice()].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key_of(values: &[&str]) -> Result<Option<String>> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(NAME, value.parse().unwrap());
        }
        key(&headers)
    }

    #[test]
    fn a_key_may_be_quoted_or_raw() {
        assert_eq!(key_of(&[]), Ok(None));
        assert_eq!(key_of(&["\"8e03978e-40d5\""]), Ok(Some("8e03978e-40d5".to_owned())));
        assert_eq!(key_of(&["8e03978e-40d5"]), Ok(Some("8e03978e-40d5".to_owned())));
        assert!(key_of(&[&"x".repeat(255)]).is_ok());
        for values in [&[""][..], &["\"\""], &["a b"], &["a", "a"], &[&"x".repeat(256)]] {
            assert!(matches!(key_of(values), Err(Error::InvalidParameter(_))), "{values:?}");
        }
    }

    #[test]
    fn a_fingerprint_is_that_of_the_meaning() {
        let key = |byte: u8| MasterKey::generate(&|bytes: &mut [u8]| bytes.fill(byte));
        let fingerprint = |method: Method, uri: &str, body: &str, seal: &MasterKey| {
            let body = crate::json::parse(body.as_bytes()).unwrap();
            IdempotencyKey::new("k".to_owned(), &method, &uri.parse().unwrap(), Some(&body), seal).fingerprint
        };
        let of = |method, uri, body| fingerprint(method, uri, body, &key(1));
        let first = of(Method::POST, "/v1/tags", r#"{"a":1,"b":["x",null]}"#);
        assert_eq!(first, of(Method::POST, "/v1/tags", r#" { "b" : ["\u0078", null], "a": 1.0 }"#));
        for other in [
            of(Method::POST, "/v1/tags", r#"{"a":1,"b":[null,"x"]}"#),
            of(Method::POST, "/v1/tags", r#"{"a":1,"b":"x"}"#),
            of(Method::POST, "/v1/tags?x", r#"{"a":1,"b":["x",null]}"#),
            of(Method::PATCH, "/v1/tags", r#"{"a":1,"b":["x",null]}"#),
        ] {
            assert_ne!(first, other);
        }
        let body = r#"{"a":1,"b":["x",null]}"#;
        assert_ne!(first, fingerprint(Method::POST, "/v1/tags", body, &key(2)));
    }
}
