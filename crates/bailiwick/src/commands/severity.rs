//! `bailiwick severity samples`.

use serde_json::json;

use crate::cli::Severity;
use crate::failure::Result;
use crate::output;

pub(crate) fn run(command: &Severity, json: bool) -> Result<()> {
    let Severity::Samples { count } = command;
    domain::severity::samples(*count).iter().try_for_each(|reasoning| match json {
        true => output::json(&json!({ "severity_reasoning": reasoning })),
        false => output::line(reasoning),
    })
}
