//! The bare axum handlers that the service is compared with, in a process of their own.

use std::path::{Path, PathBuf};
use std::process::Command;

use axum::routing::{get, post};
use axum::{Json, Router};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::process::Process;

/// How the bare handlers are started.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// An answer of the service with a list of incidents, to be served from memory.
    #[arg(long)]
    list: Option<PathBuf>,
}

/// A body like an incident's, parsed and answered again.
#[derive(Serialize, Deserialize)]
struct Echo {
    title: String,
    description: String,
    source: Option<String>,
    occurred_date: Option<String>,
    detected_date: Option<String>,
}

/// Listens on a free port of loopback and says which.
pub(crate) async fn serve(options: Options) -> Result<()> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let mut router = Router::new().route("/", post(async |Json(body): Json<Echo>| Json(body)));
    if let Some(path) = options.list {
        // It lives as long as the process; each request serialises it again.
        let list: &'static List = Box::leak(Box::new(serde_json::from_slice(&std::fs::read(path)?)?));
        router = router.route("/list", get(async move || Json(list)));
    }
    println!("listening on http://{}", listener.local_addr()?);
    Ok(axum::serve(listener, router).await?)
}

/// Starts this program's bare handlers.
pub(crate) fn start(list: Option<&Path>) -> Result<Process> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("serve");
    if let Some(list) = list {
        command.arg("--list").arg(list);
    }
    Process::start(&mut command)
}

/// A page of incidents as the service holds it before it writes JSON: dates are moments, not text.
#[derive(Serialize, Deserialize)]
struct List {
    data: Vec<Incident>,
    has_more: bool,
    next_cursor: String,
}

#[derive(Serialize, Deserialize)]
struct Incident {
    id: String,
    title: String,
    description: String,
    status: String,
    severity_reasoning: Option<String>,
    source: Option<String>,
    assigned_to: Option<String>,
    opened_by: Actor,
    occurred_date: Option<Moment>,
    detected_date: Moment,
    responded_date: Option<Moment>,
    contained_date: Option<Moment>,
    created_date: Moment,
    updated_date: Moment,
    version: i64,
    warnings: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct Actor {
    r#type: String,
    id: String,
    name: String,
}

#[derive(Deserialize)]
struct Moment(Timestamp);

impl Serialize for Moment {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:.6}", self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_written_as_it_was_read() {
        let text = concat!(
            r#"{"data":[{"id":"INC-0002","title":"a","description":"","status":"new","severity_reasoning":null,"#,
            r#""source":"b","assigned_to":null,"opened_by":{"type":"client","id":"bwc_x","name":"c"},"#,
            r#""occurred_date":"2026-03-01T08:41:00.000000Z","detected_date":"2026-03-01T08:52:00.000000Z","#,
            r#""responded_date":null,"contained_date":null,"created_date":"2026-03-01T09:00:00.000001Z","#,
            r#""updated_date":"2026-03-01T09:00:00.000001Z","version":1,"warnings":[]}],"has_more":true,"#,
            r#""next_cursor":"x"}"#
        );
        let list: List = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&list).unwrap(), text);
    }
}
