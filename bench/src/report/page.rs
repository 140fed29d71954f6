//! The figures within docs/benchmarks.md, and its charts.

use std::path::Path;

use clap::ValueEnum;

use super::{Kept, charts, tables};
use crate::Result;
use crate::case::Case;

const PAGE: &str = "docs/benchmarks.md";
const CHARTS: &str = "docs/benchmarks";
const BEGIN: &str = "<!-- figures: bench/run --write -->\n";
const END: &str = "<!-- end of figures -->\n";

/// Writes both, once every case was measured.
pub(super) fn write(all: &[Kept]) -> Result<()> {
    let is_missing = |case: &&Case| all.iter().all(|kept| kept.case != **case);
    let missing: Vec<String> =
        Case::value_variants().iter().filter(is_missing).map(|case| case.name()).collect();
    if !missing.is_empty() {
        return Err(format!("not measured yet: {}", missing.join(", ")).into());
    }
    let page = std::fs::read_to_string(PAGE)?;
    let mut revisions: Vec<&str> = all.iter().map(|kept| kept.revision.as_str()).collect();
    revisions.sort_unstable();
    revisions.dedup();
    let text = format!("Measured at {} on {}.\n\n{}", revisions.join(", "), machine()?, tables(all));
    std::fs::write(PAGE, replace(&page, &text)?)?;
    std::fs::create_dir_all(CHARTS)?;
    for (name, svg) in charts::all(all)? {
        std::fs::write(Path::new(CHARTS).join(name), svg)?;
    }
    Ok(())
}

fn replace(page: &str, text: &str) -> Result<String> {
    let parts = page.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = parts.ok_or_else(|| format!("{PAGE} has no place for the figures"))?;
    Ok(format!("{before}{BEGIN}\n{text}\n{END}{after}"))
}

/// `2 cores of an AMD EPYC, Linux 6.1, 2026-11-21`
fn machine() -> Result<String> {
    let cpus = std::fs::read_to_string("/proc/cpuinfo")?;
    let model = cpus.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let cores = std::thread::available_parallelism()?;
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease")?;
    let model = model.map_or("an unknown processor", |(_, model)| model.trim());
    Ok(format!("{cores} cores of {model}, shared with wrk; Linux {}", kernel.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_take_the_place_of_figures() {
        let page = format!("a\n{BEGIN}old\n{END}b\n");
        let new = replace(&page, "new\n").unwrap();
        assert_eq!(new, format!("a\n{BEGIN}\nnew\n\n{END}b\n"));
        assert_eq!(replace(&new, "new\n").unwrap(), new);
        assert!(replace("a", "new").is_err());
    }
}
