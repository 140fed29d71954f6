//! Random text of letters and digits.

use zeroize::Zeroizing;

/// The characters.
pub(crate) const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Appends `count` characters, each equally likely: bytes from 248 up are skipped, because 256 is not a multiple of
/// 62.
pub(crate) fn push_base62(text: &mut String, count: usize, random: &dyn Fn(&mut [u8])) {
    let end = text.len() + count;
    let mut bytes = Zeroizing::new([0_u8; 64]);
    while text.len() < end {
        random(bytes.as_mut_slice());
        let fair = bytes.iter().filter(|byte| **byte < 248);
        let characters = fair.filter_map(|byte| ALPHABET.get(usize::from(*byte % 62)));
        text.extend(characters.take(end - text.len()).map(|character| char::from(*character)));
    }
}

/// A random source that counts: different bytes at every call, the same in every run.
#[cfg(test)]
pub(crate) fn counting() -> impl Fn(&mut [u8]) {
    let next = std::cell::Cell::new(0_u8);
    move |bytes: &mut [u8]| {
        for byte in bytes {
            *byte = next.replace(next.get().wrapping_add(37));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn every_character_is_equally_likely() {
        // A source that never repeats within 256 bytes yields each of the 62 characters 4 times.
        let mut text = String::new();
        let next = Cell::new(0_u8);
        let all = |bytes: &mut [u8]| {
            for byte in bytes {
                *byte = next.replace(next.get().wrapping_add(1));
            }
        };
        push_base62(&mut text, 248, &all);
        for character in ALPHABET {
            assert_eq!(text.bytes().filter(|byte| byte == character).count(), 4);
        }
    }
}
