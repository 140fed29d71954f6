//! A request to a page that needs no session: signing in, and the first page.

use std::sync::Mutex;

use auth::Source;
use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::request::Parts;
use axum::response::{Html, IntoResponse, Redirect, Response};
use hyper::header::SET_COOKIE;
use hyper::{Method, StatusCode};
use store::sessions::ConsoleSession;
use web::http::source;
use web::{App, Error, Peer};

use super::cookie::Cookie;
use super::form::Form;
use super::same_origin;

/// A request whose person may be unknown.
pub(crate) struct OpenPage {
    /// The shared state.
    pub(crate) app: App,
    /// Where the request comes from.
    pub(crate) source: Source,
    /// Whether it came by HTTPS.
    pub(crate) is_secure: bool,
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
        let body = self.body.get_mut().map(std::mem::take).unwrap_or_default();
        Form::read(&self.app, &self.parts.headers, body).await
    }

    /// The session of the request, if it has one that lives.
    pub(crate) async fn session(&self, is_watching: bool) -> Result<Option<ConsoleSession>, Error> {
        let Some(token) = Cookie::Session.of(&self.parts.headers, self.is_secure) else { return Ok(None) };
        Ok(auth::people::console_session(self.app.auth(), token, is_watching).await?)
    }

    /// The browser, as it names itself.
    pub(crate) fn device(&self) -> String {
        let name = self.parts.headers.get(hyper::header::USER_AGENT).and_then(|value| value.to_str().ok());
        name.unwrap_or_default().chars().filter(|letter| !letter.is_control()).take(200).collect()
    }

    /// Leads to another page with this session from now on.
    pub(crate) fn signed_in(&self, token: &str, to: &str) -> Response {
        self.lead(to, Cookie::Session.set(token, self.is_secure))
    }

    /// The response with this session from now on.
    pub(crate) fn shown_signed_in(&self, token: &str, mut response: Response) -> Response {
        let cookie = Cookie::Session.set(token, self.is_secure);
        response.headers_mut().extend(cookie.map(|cookie| (SET_COOKIE, cookie)));
        response
    }

    /// Leads to another page without a session.
    pub(crate) fn signed_out(&self, to: &str) -> Response {
        self.lead(to, Cookie::Session.remove(self.is_secure))
    }

    fn lead(&self, to: &str, cookie: Option<hyper::header::HeaderValue>) -> Response {
        let mut response = Redirect::to(to).into_response();
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
