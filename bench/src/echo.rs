//! A bare axum handler that parses a body like an incident's and answers with it.

use std::path::PathBuf;

use axum::routing::post;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::process::Process;

#[derive(Serialize, Deserialize)]
struct Incident {
    title: String,
    description: String,
    source: Option<String>,
    occurred_date: Option<String>,
    detected_date: Option<String>,
}

/// Listens on a free port of loopback and says which.
pub(crate) async fn serve() -> Result<()> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on http://{}", listener.local_addr()?);
    let router = Router::new().route("/", post(async |Json(body): Json<Incident>| Json(body)));
    Ok(axum::serve(listener, router).await?)
}

/// Starts this program's echo as a process of its own.
pub(crate) fn start() -> Result<Process> {
    let this: PathBuf = std::env::current_exe()?;
    Process::start(std::process::Command::new(this).arg("echo"))
}
