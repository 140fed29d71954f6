//! The database layer, on both engines. One test binary: each further one would be linked with everything again.

mod common;
mod contents;
mod copy;
mod lane_model;
mod migrations;
mod portable_sql;
mod postgres_failover;
mod postgres_faults;
mod postgres_hosts;
mod postgres_restart;
mod postgres_settings;
mod postgres_timeline;
mod scrub;
mod sqlite_faults;
mod tls;
mod two_processes;
mod undo;
mod went_back;
