//! What becomes of files, without a register.
#![allow(clippy::panic, reason = "tests")]

use domain::import::{ImportKind, PreparedRow};
use domain::{Error, Fault};
use jiff::tz::{Offset, TimeZone};
use workbook::Levels;

use super::{Around, Opened};

/// The rows of a file, in a zone that is an hour ahead of UTC.
fn rows(kind: ImportKind, file: &[u8]) -> domain::Result<Vec<PreparedRow>> {
    let levels = Levels { likelihood: Vec::new(), impact: Vec::new() };
    let around = Around { members: Vec::new(), zone: TimeZone::fixed(Offset::constant(1)), levels };
    Opened::read(kind, None, file, None, around)?.rows()
}

#[test]
fn a_small_file_does_not_become_records_without_end() {
    let file = include_bytes!("tests/repeated.ods");
    assert!(file.len() < 1_000);
    let Err(Error::Invalid(faults)) = rows(ImportKind::Incidents, file) else { panic!("it was read") };
    let refused: String = faults.iter().map(Fault::sentence).collect();
    assert!(refused.contains("too large: more than 100663296 bytes of text in its records"), "{refused}");
}
