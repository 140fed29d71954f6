//! A request to a page that needs no session: signing in, and the first page.

use std::sync::Mutex;

use auth::{PublicUrl, Source};
use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::request::Parts;
use axum::response::{Html, IntoResponse, Response};
use bytes::Bytes;
use domain::text::breaks_a_line;
use http::upload::{self, Upload};
use http::{App, Error, Peer};
use http::{body, limits, location, source};
use hyper::header::{CONTENT_TYPE, HeaderValue, SET_COOKIE, USER_AGENT};
use hyper::{Method, StatusCode};
use store::sessions::ConsoleSession;

use super::cookie::{Cookie, CookieScope};
use super::form::{Form, ONCE};
use super::same_origin;

/// The media type of forms.
const FORM: &[&str] = &["application/x-www-form-urlencoded"];

/// The media type of forms with files.
const WITH_FILE: &[&str] = &[upload::MEDIA_TYPE];

/// A request whose person may be unknown.
pub(crate) struct OpenPage {
    /// The shared state.
    pub(crate) app: App,
    /// Where the request comes from.
    pub(crate) source: Source,
    /// Whether it came by HTTPS.
    is_secure: bool,
    pub(crate) parts: Parts,
    /// Only a mutex lets requests with a body be shared between threads; it is never locked.
    body: Mutex<Body>,
}

impl FromRequest<App> for OpenPage {
    type Rejection = Error;

    /// Refuses forms of other sites.
    async fn from_request(request: Request, app: &App) -> Result<Self, Error> {
        let (source, peer) = (source::of(&request), Peer::of(&request));
        if request.method() == Method::POST {
            same_origin::check(request.headers())?;
        }
        let (parts, body) = request.into_parts();
        Ok(Self { app: app.clone(), source, is_secure: peer.is_secure, parts, body: Mutex::new(body) })
    }
}

impl OpenPage {
    /// The form of a POST.
    pub(crate) async fn form(&mut self) -> Result<Form, Error> {
        Ok(Form::parse(&self.sent(limits::BODY_BYTES).await?))
    }

    /// The form of a POST of up to so many bytes, as it was sent.
    pub(crate) async fn sent(&mut self, limit_bytes: usize) -> Result<Bytes, Error> {
        self.read(limit_bytes, FORM).await
    }

    /// The key that makes a form with files of up to so many bytes act once, and the names and the bytes of the files that were
    /// chosen.
    pub(crate) async fn files(
        &mut self,
        limit_bytes: usize,
    ) -> Result<(String, Vec<(String, Bytes)>), Error> {
        let body = self.read(limit_bytes, WITH_FILE).await?;
        let media_type = self.media_type();
        let read = move || {
            let Upload { fields, files } = upload::read(&media_type, &body);
            let once = fields.into_iter().find(|(name, _)| name == ONCE).map(|(_, text)| text);
            Ok((
                once.unwrap_or_default(),
                files.into_iter().map(|(name, file)| (name, body.slice_ref(file))).collect(),
            ))
        };
        self.app.convert(read).await
    }

    /// Whether the form has files.
    pub(crate) fn has_files(&self) -> bool {
        upload::is_form(&self.media_type())
    }

    fn media_type(&self) -> String {
        let sent = self.parts.headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
        String::from_utf8_lossy(sent).into_owned()
    }

    async fn read(&mut self, limit_bytes: usize, types: &'static [&'static str]) -> Result<Bytes, Error> {
        let body = self.body.get_mut().map(std::mem::take).unwrap_or_default();
        let timeout = self.app.settings().body_timeout;
        body::read(&self.parts.headers, body, limit_bytes, types, timeout).await
    }

    /// The session of the request, if it has one that lives.
    pub(crate) async fn session(&self, is_watching: bool) -> Result<Option<ConsoleSession>, Error> {
        let Some(token) = Cookie::Session.of(&self.parts.headers, self.scope()) else { return Ok(None) };
        Ok(auth::people::console_session(self.app.auth(), token, is_watching).await?)
    }

    /// The browser, as it names itself.
    pub(crate) fn device(&self) -> String {
        let name = self.parts.headers.get(USER_AGENT).map(HeaderValue::as_bytes).unwrap_or_default();
        let name = String::from_utf8_lossy(name);
        name.chars().filter(|letter| !breaks_a_line(*letter)).take(200).collect()
    }

    /// Leads to another page with this session from now on.
    pub(crate) fn signed_in(&self, token: &str, to: &str) -> Response {
        self.lead(to, Cookie::Session.set(token, self.scope()))
    }

    /// The response with this session from now on.
    pub(crate) fn shown_signed_in(&self, token: &str, mut response: Response) -> Response {
        let cookie = Cookie::Session.set(token, self.scope());
        response.headers_mut().extend(cookie.map(|cookie| (SET_COOKIE, cookie)));
        response
    }

    /// Leads to another page without a session.
    pub(crate) fn signed_out(&self, to: &str) -> Response {
        self.lead(to, Cookie::Session.remove(self.scope()))
    }

    /// Leads to a path of the service.
    pub(crate) fn see_other(&self, to: &str) -> Response {
        location::see_other(&self.public_url().path_to(to))
    }

    /// The public URL, of which the addresses of all pages are made.
    pub(crate) fn public_url(&self) -> &PublicUrl {
        &self.app.auth().public_url
    }

    /// Its path, which is before every address in a page; empty if the service has the whole host.
    pub(crate) fn root(&self) -> String {
        self.public_url().path().to_owned()
    }

    /// Whose cookies the request has.
    pub(crate) fn scope(&self) -> CookieScope<'_> {
        CookieScope { public_url: self.public_url(), is_secure: self.is_secure }
    }

    fn lead(&self, to: &str, cookie: Option<HeaderValue>) -> Response {
        let mut response = self.see_other(to);
        response.headers_mut().extend(cookie.map(|cookie| (SET_COOKIE, cookie)));
        response
    }
}

/// The response with a page.
pub(crate) fn show(page: &impl askama::Template) -> Result<Response, Error> {
    let html = page.render().map_err(|error| Error::internal(format!("a page was not rendered: {error}")))?;
    Ok(Html(html).into_response())
}

/// The same page as a refusal of a form.
pub(crate) fn show_again(page: &impl askama::Template) -> Result<Response, Error> {
    let mut response = show(page)?;
    *response.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    Ok(response)
}
