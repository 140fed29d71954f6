//! `/healthz`: the process responds. `/readyz`: the database responds too.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::OrgId;
use hyper::header::CONTENT_TYPE;

use crate::http::app::App;
use crate::http::error::Result;

/// 200 while the process responds.
pub(crate) async fn healthz() -> Response {
    ok()
}

/// 200 if the database can be read; else 503.
pub(crate) async fn readyz(State(app): State<App>) -> Result<Response> {
    let mut tx = app.db().read().await?;
    tx.read_head(OrgId::INSTANCE).await?;
    Ok(ok())
}

fn ok() -> Response {
    ([(CONTENT_TYPE, "application/json")], r#"{"status":"ok"}"#).into_response()
}
