//! `/healthz`: the process responds. `/readyz`: the database responds too, and has what was acknowledged.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::OrgId;
use hyper::header::CONTENT_TYPE;

use crate::app::App;
use crate::error::Result;

/// 200 while the process responds.
pub async fn healthz() -> Response {
    ok()
}

/// 200 if the database can be read and lacks nothing that this process has acknowledged; else 503.
pub async fn readyz(State(app): State<App>) -> Result<Response> {
    app.db().accepts_writes()?;
    let mut tx = app.db().read().await?;
    tx.read_head(OrgId::INSTANCE).await?;
    Ok(ok())
}

fn ok() -> Response {
    ([(CONTENT_TYPE, "application/json")], r#"{"status":"ok"}"#).into_response()
}
