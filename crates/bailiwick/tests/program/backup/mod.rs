//! Backups: made while the service works, restored, verified, retired.

mod faults;
mod kept;
mod keys;
mod made;
mod postgres;
mod restored;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::service::{Api, Declared, Done, Installation};

/// Makes a backup, which must succeed: what it answers.
fn back_up(installation: &Installation, to: &Path, flags: &[&str]) -> Value {
    installation.json(&[&["backup", "--json", "--to", to.to_str().unwrap()], flags].concat())
}

/// A command that makes a backup on a slow disk: strace makes each write take 5 ms. The process is that of the backup.
fn back_up_slowly(installation: &Installation, to: &Path) -> Command {
    let strace = ["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=pwrite64"];
    let slow = ["-e", "inject=pwrite64:delay_enter=5000"];
    let flags = ["backup", "--json", "--to", to.to_str().unwrap()];
    installation.command_under(&[&strace[..], &slow].concat(), &flags)
}

/// Where a backup is.
fn path(made: &Value) -> PathBuf {
    PathBuf::from(made["backup"].as_str().unwrap())
}

/// Restores or verifies with a report in JSON: how it ended, and the report.
fn restore(flags: &[&str]) -> (Done, Value) {
    let done = Done::of(&mut Installation::new().bare_command(&[&["restore", "--json"], flags].concat()));
    let report = serde_json::from_str(&done.out).unwrap_or(Value::Null);
    (done, report)
}

/// What the report says of a check: its statuses, each once.
fn status(report: &Value, check: &str) -> Vec<String> {
    let checks = report["checks"].as_array().unwrap();
    let of_it = checks.iter().filter(|found| found["check"] == check);
    let mut all: Vec<_> = of_it.map(|found| found["status"].as_str().unwrap().to_owned()).collect();
    all.dedup();
    all
}

/// The names in a folder, sorted, without the lock.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.retain(|name| name != ".bailiwick-backup.lock");
    names.sort();
    names
}

/// Declares incidents of 60 KB, each of which takes twice that in the database.
async fn fatten(api: &Api, count: usize) {
    let long = "x".repeat(60_000);
    for number in 0..count {
        assert!(matches!(api.declare(&format!("fat {number}"), &long).await, Declared::Done(_)));
    }
}
