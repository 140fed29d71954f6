//! Characters of a text that XML does not have: `_x001B_` (ECMA-376, part 1, 22.9.2.19).

/// Adds a part of a text without its escapes.
pub(super) fn push(text: &mut String, mut part: &str) {
    while let Some((before, after)) = part.split_once('_') {
        text.push_str(before);
        let escape = character(after);
        text.push(escape.map_or('_', |(character, _)| character));
        part = escape.map_or(after, |(_, rest)| rest);
    }
    text.push_str(part);
}

/// The character of an escape, without its first `_`, and what follows it.
fn character(escape: &str) -> Option<(char, &str)> {
    let (digits, rest) = escape.strip_prefix('x')?.split_at_checked(4)?;
    let rest = rest.strip_prefix('_')?;
    let is_number = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = u32::from_str_radix(digits, 16).ok().filter(|_| is_number)?;
    Some((char::from_u32(number)?, rest))
}
