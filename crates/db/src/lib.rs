//! A portable database: one SQL text, two thin drivers (SQLite and PostgreSQL), and writes that wait
//! at the same time sharing one durable commit.
//!
//! It uses only its own tables: `organization_head`, `write_lane` and `schema_migration`.

mod acknowledged;
mod checkpoint;
mod connection;
mod contents;
mod copy;
mod counts;
mod database;
mod error;
mod file;
mod head;
mod job;
mod lane;
mod metrics;
mod migrate;
mod options;
mod param;
mod postgres;
mod queue;
mod readers;
mod row;
mod schema;
mod scrape;
mod snapshot;
mod sqlite;
mod tls;
mod tx;
mod value;
mod went_back;
mod writer_lock;

pub use contents::Contents;
pub use database::Db;
pub use error::{Error, Result};
pub use head::{COUNTERS, Head};
pub use migrate::Migration;
pub use options::{Alarm, Clock, Engine, Fatal, Location, Options, Random, readers};
pub use param::{Column, Param};
pub use row::{FromRow, Row};
pub use tx::Tx;
pub use value::Value;
pub use went_back::{Position, WentBack};
