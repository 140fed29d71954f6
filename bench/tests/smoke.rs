//! The benchmark works at all: one short round of it, with the debug build of the service. The figures say nothing.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use std::path::PathBuf;
use std::process::Command;

fn bench(arguments: &[&str], programs: &[&str]) -> String {
    let this = PathBuf::from(env!("CARGO_BIN_EXE_bench"));
    let service = this.with_file_name("bailiwick");
    assert!(service.exists(), "build the workspace first: {} is not there", service.display());
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(&this);
    command.args(arguments).arg("--folder").arg(folder.path());
    for name in programs {
        command.arg(name).arg(&service);
    }
    let output = command.output().unwrap();
    let (out, progress) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}\n{progress}");
    assert!(progress.contains("round 1 of 1") || progress.contains("pair 1 of 1"), "{progress}");
    out
}

#[test]
fn a_run_prints_each_bar_with_its_baseline() {
    let out = bench(&["run", "--quick", "--rounds", "1", "--only", "create"], &["--service"]);
    for work in ["create: CPU", "create with Idempotency-Key: CPU", "create: rate"] {
        let line = out.lines().find(|line| line.starts_with(&format!("| {work} |"))).expect(work);
        assert!(line.ends_with("| yes |") || line.ends_with("| **no** |"), "{line}");
        assert!(line.contains(" × |") && !line.contains("NaN") && !line.contains("inf"), "{line}");
    }
}

#[test]
fn a_comparison_prints_the_ratio_of_each_measure() {
    let out = bench(&["compare", "--pairs", "1", "delete"], &["--a", "--b"]);
    for measure in ["CPU per request", "rate", "p99"] {
        let line = out
            .lines()
            .find(|line| line.starts_with(&format!("| delete 1,000 in one call | {measure} |")))
            .expect(measure);
        assert!(line.contains(" × |"), "{line}");
    }
}
