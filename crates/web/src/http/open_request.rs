//! A request of an operation that needs no token: its caller sends a password or the token of a link. Its response is
//! never stored under an Idempotency-Key.

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::request::Parts;
use domain::Faults;

use crate::http::app::App;
use crate::http::error::{Error, Result};
use crate::http::json::{self, Json};
use crate::http::query::Query;
use crate::http::{body, limits};
use crate::oauth::Source;

/// A request whose caller is not known.
pub(crate) struct OpenRequest {
    /// The shared state.
    pub(crate) app: App,
    /// Where the request comes from; failures are counted by it.
    pub(crate) source: Source,
    parts: Parts,
    body: Body,
}

impl FromRequest<App> for OpenRequest {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<Self> {
        let source = Source::of(&request);
        let (parts, body) = request.into_parts();
        Ok(Self { app: app.clone(), source, parts, body })
    }
}

impl OpenRequest {
    /// Refuses any query parameter: a password or a token in the query would appear in logs.
    pub(crate) fn no_query(&self) -> Result<()> {
        match self.parts.uri.query() {
            None => Ok(()),
            query => Query::new(query).finish(),
        }
    }

    /// Reads the body of up to 64 KiB as JSON.
    pub(crate) async fn json<T>(
        &mut self,
        read: impl FnOnce(Json<'_>, &mut Faults) -> Option<T>,
    ) -> Result<T> {
        let body = std::mem::take(&mut self.body);
        let timeout = self.app.settings().body_timeout;
        let bytes =
            body::read(&self.parts.headers, body, limits::OAUTH_BODY_BYTES, body::JSON, timeout).await?;
        json::read(&bytes, read)
    }
}
