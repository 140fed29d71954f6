//! How far a long command has come, on standard error, if a person looks at it.

use std::io::{IsTerminal as _, Write as _, stderr};
use std::time::{Duration, Instant};

use store::verify::Progress;

/// How often the line is written again.
const EVERY: Duration = Duration::from_millis(250);

/// One line that is written over and over; it is gone when this is dropped.
pub(crate) struct Line {
    is_seen: bool,
    written: Option<Instant>,
}

impl Line {
    /// A line for a person at a terminal; nothing otherwise.
    pub(crate) fn new() -> Self {
        Self { is_seen: stderr().is_terminal(), written: None }
    }

    /// Shows how far a verification has come. That it cannot be shown is no reason to stop.
    pub(crate) fn show(&mut self, progress: Progress) {
        self.say(&match progress {
            Progress::Entries(done, all) => format!("verifying: entry {done} of {all}"),
            Progress::Records(done) => format!("verifying: record {done}"),
        });
    }

    /// Shows a text.
    pub(crate) fn say(&mut self, text: &str) {
        if !self.is_seen || self.written.is_some_and(|at| at.elapsed() < EVERY) {
            return;
        }
        self.written = Some(Instant::now());
        let _ = write!(stderr(), "\r\x1b[K{text}");
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if self.written.is_some() {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}
