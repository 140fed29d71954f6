//! The parts of a run by name, and what one came to.

use crate::figure::Row;
use crate::load::Line;
use clap::ValueEnum;

/// A part of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Case {
    /// Creating incidents on all connections, with and without an Idempotency-Key.
    Create,
    /// Moving incidents from one status to the next.
    Transition,
    /// Creating incidents on one connection.
    Latency,
    /// The slowest creations.
    Tail,
    /// Reading one incident and a list of 50.
    Read,
    /// Reading an incident with a long timeline.
    Timeline,
    /// Issuing tokens.
    Token,
    /// Requests with a token that is known.
    KnownToken,
    /// Deleting 10,000 incidents in one call.
    Delete,
    /// What another organization waits while many incidents are changed in one call.
    Bulk,
    /// The performance figure in a small and a great register.
    Performance,
    /// Reading in a small and a great register.
    Scale,
    /// Finding, counting and exporting among a million incidents.
    Find,
    /// The same on PostgreSQL.
    FindPostgres,
    /// How soon a search finds what was written, on both engines.
    Fresh,
    /// PostgreSQL, beside pgbench.
    Postgres,
    /// The process's memory after many creations.
    Memory,
    /// Starting on a great register.
    Start,
}

/// What a case came to.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// The bars.
    pub(crate) rows: Vec<Row>,
    /// The loads behind them.
    pub(crate) lines: Vec<Line>,
    /// What a reader should know.
    pub(crate) notes: Vec<String>,
}

impl Case {
    /// The name on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}
