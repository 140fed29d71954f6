//! docs/reliability.md names its tests; each of them is there.

use std::collections::BTreeSet;
use std::path::Path;

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn every_row_of_the_table_of_faults_names_a_test_that_is_there() {
    let page = read("docs/reliability.md");
    let rows: Vec<_> = page
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| fault ") && !line.starts_with("| ---"))
        .collect();
    assert!(rows.len() > 20, "only {} rows", rows.len());
    let mut named = BTreeSet::new();
    for row in rows {
        let tests: Vec<_> = row.trim_end_matches(" |").rsplit(" | ").next().unwrap().split("; ").collect();
        for test in tests {
            // `program/disk.rs`: `a_full_disk_…`
            let (file, name) = test.split_once(": ").unwrap_or_else(|| panic!("no test in {row}"));
            let (file, name) = (file.trim_matches('`'), name.trim_matches('`'));
            let file = match file.split_once('/') {
                Some(("program", file)) => format!("crates/bailiwick/tests/program/{file}"),
                Some((room, file)) => format!("crates/{room}/tests/{file}"),
                None => panic!("{file} is no file of tests"),
            };
            assert!(read(&file).contains(&format!("fn {name}(")), "{file} has no {name}");
            named.insert(name.to_owned());
        }
    }
    assert!(named.len() > 20, "only {named:?}");
}
