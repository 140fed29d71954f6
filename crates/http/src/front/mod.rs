//! The middleware around all handlers: the request's id and trace, its length, `OPTIONS`, panics, the conversion of
//! errors into problems, rate limits, compression, and the headers that all responses share.

mod challenge;
mod compression;
mod cors;
pub(crate) mod entrance;
mod methods;
mod security_headers;
mod trace_context;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use auth::PublicUrl;
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use hyper::header::{ACCEPT, CONNECTION, HeaderName, HeaderValue, RETRY_AFTER};
use hyper::http::Extensions;
use hyper::{Method, StatusCode, Uri};
use tracing::Instrument;
use utoipa::openapi::OpenApi;

use crate::answer::IDEMPOTENT_REPLAYED;
use crate::app::App;
use crate::conditional::IfNoneMatch;
use crate::error::{Error, Result};
use crate::location;
use crate::peer::{self, Peer};
use crate::rate::{self, Account, ChangedRows, Cost};
use crate::request_id::{RequestId, X_REQUEST_ID};
use crate::route::{Admission, Caching, Content, ErrorForm, Refusal, RouteTable, Rules, Unchanging};
use crate::unread::Unread;

use challenge::Challenge;
use compression::Wanted;
use cors::Cors;
use methods::{MethodTable, Methods};
use security_headers::Circumstances;
pub use trace_context::TraceContext;

/// The target of the one span of each request, which traces and the access log use.
pub const TRACE_TARGET: &str = "request";

/// The state of the middleware. A clone is a handle to the same state.
#[derive(Clone)]
pub struct Front(Arc<Prepared>);

struct Prepared {
    app: App,
    public_url: Arc<PublicUrl>,
    methods: MethodTable,
    rules: RouteTable,
    cors: Cors,
    /// Completes the challenge of a 401.
    challenge: Challenge,
}

impl Front {
    /// The middleware of a service with the routes of `document` and `rules`.
    pub fn new(app: App, document: &OpenApi, rules: RouteTable) -> Self {
        let cors = Cors::new(&app.settings().cors_origins);
        let public_url = Arc::new(app.auth().public_url.clone());
        let challenge = Challenge::new(&public_url);
        let methods = MethodTable::new(document, &rules);
        Self(Arc::new(Prepared { methods, rules, cors, challenge, public_url, app }))
    }

    /// The methods of the requested path; none for an unknown path.
    fn methods(&self, asked: &Asked) -> Option<&Methods> {
        asked.route.as_ref().map(|route| self.0.methods.of(route.as_str()))
    }
}

/// The parts of a request that its response depends on.
struct Asked {
    method: Method,
    uri: Uri,
    id: RequestId,
    /// The path as it is registered, if it is known.
    route: Option<MatchedPath>,
    /// What the route table declares about the path and the method.
    rules: Rules,
    /// The origin, if it is allowed to read the response.
    origin: Option<HeaderValue>,
    is_preflight: bool,
    peer: Peer,
    /// The form of an error of this request.
    error_form: ErrorForm,
    wanted: Wanted,
    account: Option<Account>,
    public_url: Arc<PublicUrl>,
}

impl Asked {
    /// Reads these parts, and adds the extensions that handlers read to the request.
    fn note(front: &Prepared, request: &mut Request) -> Self {
        let peer = peer::resolve(request, &front.app.settings().trusted_proxies);
        let id = RequestId::of(request.headers(), front.app.db());
        let trace = TraceContext::of(request.headers(), front.app.db());
        let route = request.extensions().get::<MatchedPath>().cloned();
        let rules = front.rules.of(route.as_ref().map(MatchedPath::as_str), request.method());
        let headers = request.headers();
        let origin = match rules.admission {
            Admission::SignIn => None,
            Admission::Usual | Admission::Probe => front.cors.allowed(headers),
        };
        let (is_preflight, wanted) = (cors::is_preflight(headers), Wanted::of(headers));
        let error_form = match entrance::prefers_a_page(headers) {
            true => rules.errors.browser,
            false => rules.errors.program,
        };
        request.extensions_mut().insert(id.clone());
        request.extensions_mut().insert(trace);
        Self {
            method: request.method().clone(),
            uri: request.uri().clone(),
            id,
            route,
            rules,
            origin,
            is_preflight,
            peer,
            error_form,
            wanted,
            account: front.app.rate_limit().prepare(request.extensions_mut()),
            public_url: Arc::clone(&front.public_url),
        }
    }

    /// The response for an error.
    fn refuse(&self, error: Error, extensions: &Extensions) -> Response {
        let (public_url, request_id) = (&self.public_url, self.id.as_str());
        let refusal = Refusal { error, path: self.uri.path(), public_url, request_id, extensions };
        let mut response = (self.error_form.render)(&refusal);
        let headers = response.headers_mut();
        if let (&Method::PATCH, Some(types)) = (&self.method, headers.get(ACCEPT).cloned()) {
            headers.insert(methods::ACCEPT_PATCH, types);
        }
        response
    }
}

/// Takes the path of the public URL away from a request that a proxy passed on with it. Routes are found after that.
pub async fn within(State(app): State<App>, mut request: Request) -> Request {
    let uri = request.uri();
    let path = app.auth().public_url.path_within(uri.path());
    if path.len() < uri.path().len() {
        let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
        let mut parts = uri.clone().into_parts();
        parts.path_and_query = format!("{path}{query}").parse().ok();
        // A part of a valid URI that begins with a slash is one too.
        *request.uri_mut() = Uri::from_parts(parts).unwrap_or_default();
    }
    request
}

/// Runs a request. In every case a response with the request's id is returned.
pub async fn front(State(front): State<Front>, request: Request, next: Next) -> Response {
    let (mut request, unread) = Unread::lend(request);
    let asked = Asked::note(&front.0, &mut request);
    let span = span(&asked, &request);
    let (started, _active) = (Instant::now(), front.0.app.metrics().start());
    let if_none_match = IfNoneMatch::of(&request);
    let response = match early(&front, &asked, &request) {
        Some(response) => {
            // Including its unread body.
            drop(request);
            response
        }
        None => {
            let running = guard(next.run(request), &asked, front.methods(&asked));
            if_none_match.answer(running.instrument(span.clone()).await)
        }
    };
    let mut response = finish(&front, &asked, response).await;
    let (status, took) = (response.status(), started.elapsed());
    span.record("http.response.status_code", status.as_u16());
    tracing::debug!(target: TRACE_TARGET, parent: &span, microseconds = took.as_micros(), "answered");
    front.0.app.metrics().answered(&asked.method, asked.route, status, took);
    if let Some(unread) = unread {
        unread.clear(&mut response).await;
    }
    response
}

/// One span for each request, of the target [`TRACE_TARGET`] at the level debug, which traces and the access log use.
/// It contains neither the query nor personal data.
fn span(asked: &Asked, request: &Request) -> tracing::Span {
    let route = asked.route.as_ref().map(MatchedPath::as_str);
    let span = tracing::debug_span!(
        target: TRACE_TARGET,
        "request",
        otel.name = %format_args!("{} {}", asked.method, route.unwrap_or_default()),
        otel.kind = "server",
        http.request.method = %asked.method,
        http.route = route,
        http.response.status_code = tracing::field::Empty,
        request_id = asked.id.as_str(),
        trace_id = tracing::field::Empty,
    );
    if let (false, Some(trace)) = (span.is_disabled(), request.extensions().get::<TraceContext>()) {
        span.record("trace_id", trace.enter(&span));
    }
    span
}

/// Responses without a handler: refusals, and answers to `OPTIONS`.
fn early(front: &Front, asked: &Asked, request: &Request) -> Option<Response> {
    if let Err(error) = may_pass(&front.0.app, asked, request) {
        let is_malformed = matches!(error, Error::MalformedRequest(_));
        let mut response = asked.refuse(error, &Extensions::new());
        if is_malformed {
            // The end of such a request cannot be determined reliably either.
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        return Some(response);
    }
    if asked.method != Method::OPTIONS {
        return None;
    }
    let methods = match asked.uri.path() {
        "*" => &front.0.methods.everywhere,
        _ => front.methods(asked)?,
    };
    let mut response = StatusCode::NO_CONTENT.into_response();
    methods.say(response.headers_mut());
    if asked.is_preflight && asked.origin.is_some() {
        cors::answer_preflight(response.headers_mut(), methods);
    }
    Some(response)
}

/// Refuses a request that is unencrypted, malformed or too long, accepts no available media type, or signs in too
/// often.
fn may_pass(app: &App, asked: &Asked, request: &Request) -> Result<()> {
    let admission = asked.rules.admission;
    if !(app.settings().insecure_http || asked.peer.is_private() || admission == Admission::Probe) {
        tracing::warn!(target: "security", address = %asked.peer.address, "a request over plain HTTP was refused");
        return Err(Error::HttpsRequired);
    }
    entrance::check_form(request)?;
    entrance::check_length(request)?;
    if !asked.rules.caching.is_public() && asked.rules.content == Content::Json {
        entrance::check_accept(request.headers())?;
    }
    if admission == Admission::SignIn && asked.method == Method::POST {
        app.sign_in_rate_limit().take(&asked.peer.network(), request.extensions())?;
    }
    Ok(())
}

/// Runs a request; a panic becomes an internal error of this request only.
async fn guard(
    running: impl Future<Output = Response>,
    asked: &Asked,
    methods: Option<&Methods>,
) -> Response {
    match AssertUnwindSafe(running).catch_unwind().await {
        Ok(mut response) => match response.extensions_mut().remove::<Box<Error>>() {
            Some(error) => asked.refuse(*error, response.extensions()),
            None if response.status() == StatusCode::METHOD_NOT_ALLOWED => {
                let allow = methods.and_then(|methods| methods.allow.to_str().ok()).unwrap_or_default();
                asked.refuse(Error::MethodNotAllowed { allow: allow.to_owned() }, response.extensions())
            }
            None => response,
        },
        // The program's panic hook has logged the message and the location on a line of its own.
        Err(_) => asked.refuse(Error::internal("a panic, told in a line before"), &Extensions::new()),
    }
}

/// Completes an answer.
async fn finish(front: &Front, asked: &Asked, mut response: Response) -> Response {
    let status = response.status();
    match status {
        StatusCode::METHOD_NOT_ALLOWED => {
            if let Some(methods) = front.methods(asked) {
                methods.say(response.headers_mut());
            }
        }
        StatusCode::UNAUTHORIZED => front.0.challenge.complete(response.headers_mut()),
        StatusCode::SERVICE_UNAVAILABLE => spread(&front.0.app, &mut response),
        StatusCode::NOT_MODIFIED => {
            compression::repeat_weak_tag(&mut response, &asked.wanted);
        }
        _ => {}
    }
    if let Some(account) = &asked.account {
        let is_free =
            status == StatusCode::NOT_MODIFIED || response.headers().contains_key(IDEMPOTENT_REPLAYED);
        let rows = response.extensions_mut().remove::<ChangedRows>().map_or(1, |ChangedRows(rows)| rows);
        account.settle(response.headers_mut(), if is_free { Cost::Free } else { Cost::Rows(rows) });
    }
    if let Some(accept_encoding) = &asked.wanted.accept_encoding
        && asked.rules.caching != Caching::NoStore
        && compression::is_worth_it(&response)
    {
        response = compression::compress(response, accept_encoding.clone()).await;
    }
    let is_error = status.is_client_error() || status.is_server_error();
    let is_unchanging = response.extensions_mut().remove::<Unchanging>().is_some();
    let circumstances = Circumstances {
        // Errors are not cached: 404, 405 and others would be by default (RFC 9110, section 15.1).
        caching: match () {
            () if is_error => Caching::NoStore,
            () if is_unchanging => Caching::Forever,
            () => asked.rules.caching,
        },
        content: if is_error { asked.error_form.content } else { asked.rules.content },
        is_public: asked.rules.caching.is_public(),
        is_secure: asked.peer.is_secure,
        has_cors: front.0.cors.is_on(),
    };
    let headers = response.headers_mut();
    if asked.rules.content == Content::Json {
        location::under(headers, &asked.public_url);
    }
    security_headers::add(headers, &circumstances);
    if let Some(origin) = &asked.origin {
        cors::allow(headers, origin.clone());
    }
    headers.insert(HeaderName::from_static(X_REQUEST_ID), asked.id.header());
    response
}

/// Varies `Retry-After`, so that clients that were refused together do not retry together.
fn spread(app: &App, response: &mut Response) {
    let seconds = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
    if let Some(seconds) = seconds {
        let later = rate::later(app.db().random(), seconds);
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(later));
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;
    use crate::problem;
    use crate::route::ErrorForms;

    fn asked(path: &'static str) -> Asked {
        let errors = ErrorForms { program: problem::FORM, browser: problem::FORM };
        let (caching, content, admission) = (Caching::Private, Content::Json, Admission::Usual);
        Asked {
            method: Method::POST,
            uri: Uri::from_static(path),
            id: RequestId::fixed("r-1"),
            route: None,
            rules: Rules { caching, content, errors, admission },
            origin: None,
            is_preflight: false,
            peer: Peer::of(&Request::default()),
            error_form: problem::FORM,
            wanted: Wanted::default(),
            account: None,
            public_url: Arc::new(PublicUrl::new("https://bailiwick.example")),
        }
    }

    #[tokio::test]
    async fn a_panic_is_a_500_that_tells_nothing() {
        let response = guard(async { panic!("secret") }, &asked("/v1/incidents"), None).await;
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        let problem: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!((&problem["code"], &problem["request_id"]), (&"internal".into(), &"r-1".into()));
        assert!(!String::from_utf8_lossy(&body).contains("secret"));
    }
}
