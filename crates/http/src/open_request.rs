//! A request of an operation that needs no token: its caller sends a password or the token of a link. Its response is
//! never stored under an Idempotency-Key.

use auth::Source;
use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::request::Parts;
use domain::Faults;

use crate::app::App;
use crate::error::{Error, Result};
use crate::json::{self, Json};
use crate::query::Query;
use crate::{body, limits, source};

/// A request whose caller is not known.
pub struct OpenRequest {
    /// The shared state.
    pub app: App,
    /// Where the request comes from; failures are counted by it.
    pub source: Source,
    parts: Parts,
    body: Body,
}

impl FromRequest<App> for OpenRequest {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<Self> {
        let source = source::of(&request);
        let (parts, body) = request.into_parts();
        Ok(Self { app: app.clone(), source, parts, body })
    }
}

impl OpenRequest {
    /// Refuses any query parameter: a password or a token in the query would appear in logs.
    pub fn no_query(&self) -> Result<()> {
        match self.parts.uri.query() {
            None => Ok(()),
            query => Query::new(query).finish(),
        }
    }

    /// Reads the body of up to 64 KiB as JSON.
    pub async fn json<T>(&mut self, read: impl FnOnce(Json<'_>, &mut Faults) -> Option<T>) -> Result<T> {
        let body = std::mem::take(&mut self.body);
        let timeout = self.app.settings().body_timeout;
        let bytes =
            body::read(&self.parts.headers, body, limits::OAUTH_BODY_BYTES, body::JSON, timeout).await?;
        json::read(&bytes, read)
    }
}
