//! The tables as `docs/errors.md`.

use std::fmt::Write;

use http::error_codes::{Group, Row};

const HEAD: &str = "\
# Errors

<!-- Made from crates/domain/src/error_code.rs: BLESS=1 cargo nextest run -p api the_committed_errors_page -->

This page explains every error of the API. The service shows it at `/docs/errors`, and the `type` of every problem links \
to its row there. The form of errors and the order of the checks are described in [how the API behaves](api.md#answers).
";

/// The whole file.
pub(super) fn text(groups: &[Group]) -> String {
    let mut out = HEAD.to_owned();
    for group in groups {
        // Writing to a String cannot fail.
        let _ = write!(out, "\n## {}\n\n{}\n\n", group.title, group.introduction);
        let has_status = group.rows.iter().any(|row| row.status.is_some());
        out.push_str(if has_status {
            "| status | code | what happened | what to do |\n| --- | --- | --- | --- |\n"
        } else {
            "| code | what happened | what to do |\n| --- | --- | --- |\n"
        });
        for row in &group.rows {
            write_row(&mut out, group.prefix, row);
        }
    }
    out
}

fn write_row(out: &mut String, prefix: &str, row: &Row) {
    let Row { code, status, meaning, remedy } = row;
    out.push_str("| ");
    if let Some(status) = status {
        let _ = write!(out, "{status} | ");
    }
    let _ = writeln!(out, "<a id=\"{prefix}{code}\"></a>`{code}` | {meaning} | {remedy} |");
}
