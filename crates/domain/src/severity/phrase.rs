//! Parts of sentences.

/// `a`, `a and b`, `a, b and c`, with `last` for "and". If an item has a comma, a "but" or an "or" of its own, there is
/// also a comma before the last item.
pub(super) fn list<T: AsRef<str>>(items: &[T], last: &str) -> String {
    let is_complex = |item: &T| [", ", " but ", " or "].iter().any(|part| item.as_ref().contains(part));
    let comma = if items.iter().any(is_complex) { "," } else { "" };
    match items {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [others @ .., end] => {
            let others: Vec<_> = others.iter().map(AsRef::as_ref).collect();
            format!("{}{comma} {last} {}", others.join(", "), end.as_ref())
        }
    }
}

/// The text with a capital first letter.
pub(super) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// A clause as a sentence.
pub(super) fn sentence(clause: &str) -> String {
    capitalized(clause) + "."
}

/// A sentence that is a noun phrase, as a part of another sentence.
pub(super) fn lowered(sentence: &str) -> String {
    let mut letters = sentence.trim_end_matches('.').chars();
    let first = letters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

/// A number with commas between thousands.
pub(super) fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_as_a_person_writes_them() {
        assert_eq!(list::<&str>(&[], "and"), "");
        assert_eq!(list(&["a"], "and"), "a");
        assert_eq!(list(&["a", "b"], "or"), "a or b");
        assert_eq!(list(&["a", "b", "c"], "and"), "a, b and c");
        assert_eq!(list(&["a, b or c", "d"], "and"), "a, b or c, and d");
        assert_eq!(list(&["slow but usable", "d", "e"], "and"), "slow but usable, d, and e");
    }

    #[test]
    fn numbers_and_clauses_are_written_for_people() {
        let written: Vec<_> = [0, 999, 1_000, 12_345, 1_234_567].into_iter().map(number).collect();
        assert_eq!(written, ["0", "999", "1,000", "12,345", "1,234,567"]);
        assert_eq!(sentence("nobody was in danger"), "Nobody was in danger.");
        assert_eq!(lowered("An attacker in the network."), "an attacker in the network");
    }
}
