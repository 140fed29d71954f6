//! The bare axum handlers that the service is compared with, in a process of their own.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use axum::routing::{get, post};
use axum::{Json, Router};
use indexmap::IndexMap;
use jiff::Timestamp;
use serde::{Deserialize, Serialize, Serializer};

use crate::process::Process;

/// How the bare handlers are started.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// An answer of the service with a list of incidents, to be served from memory.
    #[arg(long)]
    list: Option<PathBuf>,
    /// A file, to be served from memory as it is.
    #[arg(long)]
    text: Option<PathBuf>,
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
pub(crate) async fn serve(options: Options) -> crate::Result<()> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let mut router = Router::new().route("/", post(async |Json(body): Json<Echo>| Json(body)));
    if let Some(path) = options.list {
        // It lives as long as the process; each request serialises it again.
        let list: &'static Held = Box::leak(Box::new(serde_json::from_slice(&std::fs::read(path)?)?));
        router = router.route("/list", get(async move || Json(list)));
    }
    if let Some(path) = options.text {
        let text: &'static [u8] = Box::leak(std::fs::read(path)?.into_boxed_slice());
        router = router.route("/text", get(async move || text));
    }
    println!("listening on http://{}", listener.local_addr()?);
    Ok(axum::serve(listener, router).await?)
}

/// Starts this program's bare handlers, with an option and its file.
pub(crate) fn start(file: Option<(&str, &Path)>) -> crate::Result<Arc<Process>> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("serve");
    if let Some((option, file)) = file {
        command.arg(option).arg(file);
    }
    Process::start(&mut command).map(Arc::new)
}

/// A list as the service holds it before it writes JSON: members have an order, and dates are moments, not text.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Held {
    Null(()),
    Bool(bool),
    Number(i64),
    Moment(#[serde(serialize_with = "moment")] Timestamp),
    Text(String),
    List(Vec<Self>),
    Object(IndexMap<String, Self>),
}

fn moment<S: Serializer>(at: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{at:.6}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_written_as_it_was_read() {
        let text = concat!(
            r#"{"data":[{"id":"INC-0002","description":"","severity":null,"restricted":false,"readers":[],"#,
            r#""opened_by":{"type":"client","id":"bwc_x"},"detected_date":"2026-03-01T08:52:00.000000Z","#,
            r#""version":1}],"has_more":true,"next_cursor":"x"}"#
        );
        let list: Held = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&list).unwrap(), text);
    }
}
