//! The bare axum handlers that the service is compared with, in a process of their own.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use axum::routing::{get, post};
use axum::{Json, Router};
use jiff::Timestamp;
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

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
pub(crate) async fn serve(options: Options) -> crate::Result<()> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let mut router = Router::new().route("/", post(async |Json(body): Json<Echo>| Json(body)));
    if let Some(path) = options.list {
        // It lives as long as the process; each request serialises it again.
        let list: &'static Held = Box::leak(Box::new(serde_json::from_slice(&std::fs::read(path)?)?));
        router = router.route("/list", get(async move || Json(list)));
    }
    println!("listening on http://{}", listener.local_addr()?);
    Ok(axum::serve(listener, router).await?)
}

/// Starts this program's bare handlers.
pub(crate) fn start(list: Option<&Path>) -> crate::Result<Process> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("serve");
    if let Some(list) = list {
        command.arg("--list").arg(list);
    }
    Process::start(&mut command)
}

/// A list as the service holds it before it writes JSON: members have an order, and dates are moments, not text.
#[derive(Debug)]
enum Held {
    Null,
    Bool(bool),
    Number(i64),
    Moment(Timestamp),
    Text(String),
    List(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl Serialize for Held {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(truth) => serializer.serialize_bool(*truth),
            Self::Number(number) => serializer.serialize_i64(*number),
            Self::Moment(at) => serializer.collect_str(&format_args!("{at:.6}")),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Object(members) => {
                serializer.collect_map(members.iter().map(|(name, value)| (name, value)))
            }
        }
    }
}

impl<'de> Deserialize<'de> for Held {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Held;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON without fractions")
    }

    fn visit_unit<E>(self) -> Result<Held, E> {
        Ok(Held::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Held, E> {
        Ok(Held::Bool(truth))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Held, E> {
        i64::try_from(number).map(Held::Number).map_err(E::custom)
    }

    fn visit_i64<E>(self, number: i64) -> Result<Held, E> {
        Ok(Held::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Held, E> {
        Ok(text.parse().map_or_else(|_| Held::Text(text.to_owned()), Held::Moment))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Held, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element()? {
            all.push(item);
        }
        Ok(Held::List(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Held, A::Error> {
        let mut all = Vec::new();
        while let Some(member) = members.next_entry()? {
            all.push(member);
        }
        Ok(Held::Object(all))
    }
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
