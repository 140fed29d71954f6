//! `/healthz`: the process answers. `/readyz`: so does its database.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::OrgId;
use hyper::header::CONTENT_TYPE;

use crate::app::App;
use crate::error::Result;

/// Both paths.
pub(crate) const PATHS: [&str; 2] = ["/healthz", "/readyz"];

/// The process answers.
pub(crate) async fn healthz() -> Response {
    ok()
}

/// The process answers and its database can be read; else 503.
pub(crate) async fn readyz(State(app): State<App>) -> Result<Response> {
    let mut tx = app.db().read().await?;
    tx.read_head(OrgId::INSTANCE).await?;
    Ok(ok())
}

fn ok() -> Response {
    ([(CONTENT_TYPE, "application/json")], r#"{"status":"ok"}"#).into_response()
}
