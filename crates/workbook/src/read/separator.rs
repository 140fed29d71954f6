//! With what a text separates its values.

use std::collections::HashMap;

use super::records::Records;

/// The separators that spreadsheets write; of two that fit as well the first.
const SEPARATORS: [u8; 4] = *b";\t|,";

/// How many records are looked at.
const MOST_RECORDS: usize = 200;

/// The separator with which most records have the same number of values.
pub(super) fn of(text: &str, is_tsv: bool) -> u8 {
    if is_tsv && text.contains('\t') {
        return b'\t';
    }
    let mut best = (b',', 0);
    for separator in SEPARATORS {
        let fitting = fitting(text, separator);
        if fitting > best.1 {
            best = (separator, fitting);
        }
    }
    best.0
}

/// The separator that the first line names, as Excel writes it, and the text after that line.
pub(super) fn named(text: &str) -> Option<(u8, &str)> {
    let (line, rest) = text.split_once('\n')?;
    match line.trim_end_matches('\r').as_bytes() {
        [b's', b'e', b'p', b'=', separator] => Some((*separator, rest)),
        _ => None,
    }
}

fn fitting(text: &str, separator: u8) -> usize {
    let mut counts: HashMap<usize, usize> = HashMap::new();
    let mut records = Records::of(text, separator);
    for _ in 0..MOST_RECORDS {
        match records.next() {
            Ok(Some(record)) if record.values.len() > 1 => {
                *counts.entry(record.values.len()).or_default() += 1;
            }
            Ok(Some(_)) => {}
            Ok(None) => break,
            // It separates more values than are read, which is then refused.
            Err(_) => return usize::MAX,
        }
    }
    counts.into_values().max().unwrap_or(0)
}
