//! Bytes to a workbook.

pub(crate) mod encoding;
mod limited;
mod ods;
mod package;
mod records;
mod separator;
mod text;
mod xlsx;
mod xml;

use crate::refused::Refused;
use crate::sheet::Workbook;
use encoding::Encoding;

/// With what a file of Excel 97 to 2003 begins, and one that is protected by a password ([MS-CFB], 2.2).
const COMPOUND_FILE: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// How a text is to be read, where somebody has said so; the rest is recognised.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reading {
    /// The encoding.
    pub encoding: Option<Encoding>,
    /// The separator: one of `;`, `,`, TAB and `|`.
    pub separator: Option<char>,
}

/// The sheets of a file. Its name only helps to tell TSV from CSV. Macros, links to other files and pictures are ignored.
pub fn read(bytes: &[u8], name: Option<&str>, reading: Reading) -> Result<Workbook, Refused> {
    if bytes.starts_with(COMPOUND_FILE) {
        return Err(Refused::Protected);
    }
    if bytes.starts_with(b"PK") {
        let mut package = package::Package::open(bytes)?;
        return if package.has("content.xml") { ods::read(&mut package) } else { xlsx::read(&mut package) };
    }
    let is_tsv = name.is_some_and(|name| name.to_ascii_lowercase().ends_with(".tsv"));
    text::read(bytes, is_tsv, reading)
}
