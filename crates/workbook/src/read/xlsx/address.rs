//! Addresses of cells such as `B7`.

use crate::merges::Merge;

/// Row from 1 and column from 0.
pub(super) fn cell(address: &str) -> Option<(u32, u32)> {
    let letters = address.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (letters, digits) = address.split_at_checked(letters)?;
    if letters.is_empty() || letters.len() > 3 {
        return None;
    }
    let place = |column: u32, letter: u8| column * 26 + u32::from(letter.to_ascii_uppercase() - b'A') + 1;
    let column = letters.bytes().fold(0, place);
    let row = digits.parse().ok().filter(|row| *row > 0)?;
    Some((row, column - 1))
}

/// A range such as `B7:C9`.
pub(super) fn range(address: &str) -> Option<Merge> {
    let (first, last) = address.split_once(':')?;
    Some(Merge { first: cell(first)?, last: cell(last)? })
}
