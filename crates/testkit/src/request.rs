//! A request to the service under test and its answer.

use std::future::{Future, IntoFuture};
use std::pin::Pin;

use axum::body::Bytes;
use axum::body::{Body, to_bytes};
use axum::http::header::{CONTENT_TYPE, HOST, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;
use tower::ServiceExt as _;

use crate::{TestApp, documented, required_headers};

/// A request in the making; `.await` sends it.
#[must_use = "a request is sent by awaiting it"]
pub struct Request<'a> {
    app: &'a TestApp,
    method: Method,
    path: String,
    headers: HeaderMap,
    body: Bytes,
    peer: Option<http::Peer>,
    is_checked: bool,
}

impl TestApp {
    /// A GET of `path`, which may carry a query.
    pub fn get(&self, path: &str) -> Request<'_> {
        self.request(Method::GET, path)
    }

    /// A POST to `path`.
    pub fn post(&self, path: &str) -> Request<'_> {
        self.request(Method::POST, path)
    }

    /// A PATCH of `path`.
    pub fn patch(&self, path: &str) -> Request<'_> {
        self.request(Method::PATCH, path)
    }

    /// A PUT to `path`.
    pub fn put(&self, path: &str) -> Request<'_> {
        self.request(Method::PUT, path)
    }

    /// A DELETE of `path`.
    pub fn delete(&self, path: &str) -> Request<'_> {
        self.request(Method::DELETE, path)
    }

    /// Any request.
    pub fn request(&self, method: Method, path: &str) -> Request<'_> {
        Request::new(self, method, path)
    }
}

impl<'a> Request<'a> {
    pub(crate) fn new(app: &'a TestApp, method: Method, path: &str) -> Self {
        Self {
            app,
            method,
            path: path.to_owned(),
            headers: HeaderMap::new(),
            body: Bytes::new(),
            peer: None,
            is_checked: true,
        }
    }

    /// Adds a header; a second value of the same name is sent too.
    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        let value = HeaderValue::from_str(value).expect("a header's value");
        self.headers.append(HeaderName::from_static(name), value);
        self
    }

    /// Presents an access token: a `TestClient`, or the token's text.
    pub fn bearer(self, token: impl AsRef<str>) -> Self {
        let value = format!("Bearer {}", token.as_ref());
        self.header("authorization", &value)
    }

    /// Presents client credentials by HTTP Basic.
    pub fn basic(self, id: &str, secret: &str) -> Self {
        let value = format!("Basic {}", BASE64_STANDARD.encode(format!("{id}:{secret}")));
        self.header("authorization", &value)
    }

    /// Sends a JSON body.
    pub fn json(self, body: impl Into<Value>) -> Self {
        self.body("application/json", body.into().to_string())
    }

    /// Sends a form body; the values are encoded here.
    pub fn form(self, fields: &[(&str, &str)]) -> Self {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        self.body("application/x-www-form-urlencoded", body)
    }

    /// Sends these bytes as they are.
    pub fn body(mut self, media_type: &'static str, body: impl Into<Bytes>) -> Self {
        self.headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
        self.body = body.into();
        self
    }

    /// Repeats a request safely: the same key has one effect.
    pub fn idempotency_key(self, key: &str) -> Self {
        self.header("idempotency-key", key)
    }

    /// Comes from this address, by HTTPS; otherwise from this machine.
    pub fn from(mut self, address: &str) -> Self {
        let address = address.parse().expect("an address");
        self.peer = Some(http::Peer { address, is_secure: true });
        self
    }

    /// Skips the validation of the response against the OpenAPI document. State the reason at the call.
    pub fn unchecked(mut self) -> Self {
        self.is_checked = false;
        self
    }

    /// Sends it and insists on a status: `.expect(201).await`.
    pub async fn expect(self, status: u16) -> Answer {
        let asked = format!("{} {}", self.method, self.path);
        let answer = self.await;
        assert!(
            answer.status == status,
            "{asked} answered {} instead of {status}: {}",
            answer.status,
            String::from_utf8_lossy(&answer.bytes)
        );
        answer
    }

    async fn send(self) -> Answer {
        let mut request = axum::http::Request::builder()
            .method(self.method.clone())
            .uri(&self.path)
            .body(Body::from(self.body))
            .expect("a request");
        *request.headers_mut() = self.headers;
        // HTTP/1.1 asks for it.
        request.headers_mut().entry(HOST).or_insert(HeaderValue::from_static("bailiwick.test"));
        self.peer.map(|peer| request.extensions_mut().insert(peer));
        let response = self.app.router().oneshot(request).await.unwrap_or_else(|never| match never {});
        let answer = Answer::read(response).await;
        let is_secure = self.peer.is_some_and(|peer| peer.is_secure);
        if self.is_checked {
            let media_type = answer.header("content-type").unwrap_or_default();
            let method = self.method.as_str();
            let mut faults =
                self.app.contract().check(method, &self.path, answer.status, media_type, &answer.bytes);
            faults.extend(documented::faults(answer.status, &answer.json));
            let declared = required_headers::declared(self.app.declared(), method, &self.path);
            let headers = &answer.headers;
            faults.extend(required_headers::faults(declared, &self.path, is_secure, answer.status, headers));
            assert!(
                faults.is_empty(),
                "{method} {}: the answer differs from openapi.json, unless that is stale: {faults:#?}\n{}",
                self.path,
                String::from_utf8_lossy(&answer.bytes)
            );
        }
        answer
    }
}

impl<'a> IntoFuture for Request<'a> {
    type Output = Answer;
    type IntoFuture = Pin<Box<dyn Future<Output = Answer> + Send + 'a>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}

/// The response.
#[derive(Debug)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub bytes: Bytes,
    json: Value,
}

impl Answer {
    pub(crate) async fn read(response: Response<Body>) -> Self {
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.expect("the answer's body");
        let json = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        Self { status: parts.status.as_u16(), headers: parts.headers, bytes, json }
    }

    /// The body as JSON; `null` if it is none.
    pub fn json(&self) -> &Value {
        &self.json
    }

    /// A string member of the body, by name or JSON pointer (`/data/0/id`).
    pub fn text(&self, member: &str) -> &str {
        let found = if member.starts_with('/') { self.json.pointer(member) } else { self.json.get(member) };
        match found.and_then(Value::as_str) {
            Some(text) => text,
            None => panic!("there is no text {member:?} in {}", self.json),
        }
    }

    /// A header's value; the first one if there are several.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The faults of a problem, each as `pointer code` (or `parameter code`), in their order.
    pub fn faults(&self) -> Vec<String> {
        let faults = self.json["errors"].as_array().into_iter().flatten();
        faults
            .map(|fault| {
                let at = fault.get("pointer").or_else(|| fault.get("parameter")).and_then(Value::as_str);
                format!("{} {}", at.unwrap_or_default(), fault["code"].as_str().unwrap_or_default())
            })
            .collect()
    }
}
