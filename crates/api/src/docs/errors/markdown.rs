//! The tables as `docs/errors.md`.

use std::fmt::Write;

use http::error_codes::{Group, Kind};

const HEAD: &str = "\
# Errors

<!-- Made from crates/http/src/error_codes/: BLESS=1 cargo nextest run -p api the_committed_errors_page -->

The `type` of every problem leads to its row on the page `/docs/errors` of the service that answered. This is the same \
page. How errors look and in which order checks run is said in [the conventions](api.md).
";

/// The whole file.
pub(super) fn text(groups: &[Group]) -> String {
    let mut out = HEAD.to_owned();
    for group in groups {
        // Writing to a String cannot fail.
        let _ = write!(out, "\n## {}\n\n{}\n\n", group.title, group.introduction);
        let has_status = group.kinds.iter().any(|kind| !kind.statuses.is_empty());
        out.push_str(if has_status {
            "| status | code | what happened | what to do |\n| --- | --- | --- | --- |\n"
        } else {
            "| code | what happened | what to do |\n| --- | --- | --- |\n"
        });
        for kind in &group.kinds {
            row(&mut out, group.prefix, kind, has_status);
        }
    }
    out
}

fn row(out: &mut String, prefix: &str, kind: &Kind, has_status: bool) {
    out.push_str("| ");
    if has_status {
        let statuses = kind.statuses.iter().map(u16::to_string).collect::<Vec<_>>().join(", ");
        let _ = write!(out, "{statuses} | ");
    }
    let Kind { code, meaning, remedy, .. } = kind;
    let _ = writeln!(out, "<a id=\"{prefix}{code}\"></a>`{code}` | {meaning} | {remedy} |");
}
