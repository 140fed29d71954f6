//! The table of what was measured.

use crate::case::Outcome;
use crate::figure::Row;
use crate::load::Line;

/// Both tables and the notes, in Markdown.
pub(crate) fn tables(outcomes: &[Outcome]) -> String {
    let mut out = String::from(
        "| work | measured | baseline | ratio, with the spread | bar | met |\n| --- | ---: | ---: | ---: | ---: | --- |\n",
    );
    for row in outcomes.iter().flat_map(|outcome| &outcome.rows) {
        out += &bar(row);
    }
    out += "\n| load | CPU per request | requests | p50 | p99 |\n| --- | ---: | ---: | ---: | ---: |\n";
    for line in outcomes.iter().flat_map(|outcome| &outcome.lines) {
        let Line { name, cpu, rate, p50, p99 } = line;
        let (cpu, rate, p50, p99) = (cpu.text(), rate.text(), p50.text(), p99.text());
        out += &format!("| {name} | {cpu} | {rate} | {p50} | {p99} |\n");
    }
    let notes: Vec<String> =
        outcomes.iter().flat_map(|outcome| &outcome.notes).map(|note| format!("- {note}\n")).collect();
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

    #[test]
    fn a_bar_is_a_line_that_says_whether_it_is_met() {
        let row = Row::ratio("create", Unit::Micros, &[40.0], ("echo", &[10.0]), Limit::AtMost(3.5)).unwrap();
        let text = tables(&[Outcome { rows: vec![row], ..Outcome::default() }]);
        assert!(
            text.contains("| create | 40.0 µs | echo: 10.0 µs | 4.00 × | ≤ 3.50 × | **no** |\n"),
            "{text}"
        );
    }
}
