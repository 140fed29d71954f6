//! The real program from outside: its command line, its files, signals, disks and other processes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "tests"
)]

mod backup;
mod beside;
mod bulk;
mod clients;
mod clock;
mod command_line;
mod cut;
mod demo;
mod disk;
mod doctor;
mod document_import;
mod document_kill;
mod document_load;
mod document_promises;
mod document_verify;
mod documented;
mod first_start;
mod housekeeping;
mod huge;
mod idle;
mod imports;
mod init;
mod injected;
mod journal;
mod json;
mod keys;
mod kill;
mod listen;
mod load;
mod logs;
mod master_key;
mod metrics;
mod notify;
mod only_approvals_publish;
mod people;
mod postgres;
mod redaction;
mod refused_sign_ins;
mod schema;
mod search;
mod service;
mod settings;
mod slow;
mod stalled;
mod stop;
mod sync;
mod terminal;
mod tls;
#[cfg(feature = "otlp")]
mod traces;
mod waiting;
mod went_back;
mod wire;
