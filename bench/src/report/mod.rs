//! What the run came to: tables for a terminal, and the figures of docs/benchmarks.md.

mod charts;
mod page;
mod theme;

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Result;
use crate::bench::Options;
use crate::case::{Case, Outcome};
use crate::figure::Row;
use crate::load::Line;

/// What a case came to, and when: kept between runs, so that one case may be measured again.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    case: Case,
    revision: String,
    outcome: Outcome,
}

/// Prints what was measured, keeps it, and writes the page if that is asked for.
pub(crate) fn finish(options: &Options, outcomes: Vec<(Case, Outcome)>) -> Result<()> {
    let now = outcomes
        .into_iter()
        .map(|(case, outcome)| Kept { case, revision: options.revision.clone(), outcome })
        .collect::<Vec<_>>();
    print!("{}", tables(&now));
    if options.quick {
        // Too short to be published.
        return Ok(());
    }
    let path = options.folder.join("results.json");
    let all = merge(read(&path), now);
    std::fs::write(&path, serde_json::to_vec(&all)?)?;
    if options.write { page::write(&all) } else { Ok(()) }
}

fn read(path: &Path) -> Vec<Kept> {
    // None are there before the first run, and those of another version of the bench are measured again.
    std::fs::read(path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

/// What was measured now takes the place of what was measured before.
fn merge(before: Vec<Kept>, now: Vec<Kept>) -> Vec<Kept> {
    let is_new = |old: &Kept| now.iter().any(|new| new.case == old.case);
    let mut all: Vec<Kept> = before.into_iter().filter(|old| !is_new(old)).collect();
    all.extend(now);
    all.sort_by_key(|kept| kept.case);
    all
}

/// Both tables and the notes, in Markdown.
fn tables(all: &[Kept]) -> String {
    let mut out = String::from(
        "| work | measured | baseline | ratio, with the spread | bar | met |\n| --- | ---: | ---: | ---: | ---: | --- |\n",
    );
    for row in all.iter().flat_map(|kept| &kept.outcome.rows) {
        out += &bar(row);
    }
    out += "\n| load | CPU per request | requests | p50 | p99 |\n| --- | ---: | ---: | ---: | ---: |\n";
    for line in all.iter().flat_map(|kept| &kept.outcome.lines) {
        let Line { name, cpu, rate, p50, p99 } = line;
        let (cpu, rate, p50, p99) = (cpu.text(), rate.text(), p50.text(), p99.text());
        out += &format!("| {name} | {cpu} | {rate} | {p50} | {p99} |\n");
    }
    let notes: Vec<String> =
        all.iter().flat_map(|kept| &kept.outcome.notes).map(|note| format!("- {note}\n")).collect();
    if !notes.is_empty() {
        out.push('\n');
        out += &notes.concat();
    }
    out
}

fn bar(row: &Row) -> String {
    let Row { work, measured, baseline, result, limit } = row;
    let met = if row.is_met() { "yes" } else { "**no**" };
    let baseline = baseline.as_ref().map(|(name, figure)| format!("{name}: {}", figure.text()));
    let ratio = if result == measured { String::new() } else { result.text_with_spread() };
    let measured = if result == measured { measured.text_with_spread() } else { measured.text() };
    let (baseline, limit) = (baseline.unwrap_or_default(), limit.text(result.unit));
    format!("| {work} | {measured} | {baseline} | {ratio} | {limit} | {met} |\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Limit, Unit};

    fn kept(case: Case, work: &str) -> Kept {
        let rows =
            vec![Row::ratio(work, Unit::Micros, &[40.0], ("echo", &[10.0]), Limit::AtMost(3.5)).unwrap()];
        Kept { case, revision: "abc".to_owned(), outcome: Outcome { rows, ..Outcome::default() } }
    }

    #[test]
    fn a_bar_is_a_line_that_says_whether_it_is_met() {
        let text = tables(&[kept(Case::Create, "create")]);
        assert!(
            text.contains("| create | 40.0 µs | echo: 10.0 µs | 4.00 × | ≤ 3.50 × | **no** |\n"),
            "{text}"
        );
    }

    #[test]
    fn a_case_measured_again_replaces_the_former() {
        let all = merge(
            vec![kept(Case::Read, "read"), kept(Case::Create, "old")],
            vec![kept(Case::Start, "start"), kept(Case::Create, "new")],
        );
        let works: Vec<_> = all.iter().map(|kept| kept.outcome.rows[0].work.as_str()).collect();
        assert_eq!(works, ["new", "read", "start"]);
        let again: Vec<Kept> = serde_json::from_slice(&serde_json::to_vec(&all).unwrap()).unwrap();
        assert_eq!(tables(&again), tables(&all));
    }
}
