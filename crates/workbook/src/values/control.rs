//! Numbers of controls, as in annex A of ISO/IEC 27001: `A.8.13`.

/// The numbers in a text, each once and with their `A.`; not more than `most`.
pub(crate) fn numbers(text: &str, most: usize) -> Vec<String> {
    let mut numbers: Vec<String> = Vec::new();
    let parts = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.');
    for part in parts.filter_map(number) {
        if numbers.len() < most && !numbers.contains(&part) {
            numbers.push(part);
        }
    }
    numbers
}

/// Whether a text has more than numbers: words, which belong to the existing controls.
pub(crate) fn has_words(text: &str) -> bool {
    let mut parts = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.');
    parts.any(|part| part.chars().any(char::is_alphabetic) && number(part).is_none() && part.len() > 3)
}

/// `A.8.13`, also written `A8.13` or with three parts.
fn number(part: &str) -> Option<String> {
    let rest = part.trim_matches('.').strip_prefix(['A', 'a'])?;
    let rest = rest.strip_prefix('.').unwrap_or(rest);
    let parts: Vec<&str> = rest.split('.').collect();
    let is_number =
        |part: &&str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    ((2..=3).contains(&parts.len()) && parts.iter().all(is_number)).then(|| format!("A.{}", parts.join(".")))
}

#[cfg(test)]
mod tests {
    use super::{has_words, numbers};

    #[test]
    fn numbers_of_controls_are_found_among_words() {
        assert_eq!(numbers("A.8.13, A5.1; a.8.13 (backup)", 9), ["A.8.13", "A.5.1"]);
        assert_eq!(numbers("A.8.13, A5.1", 1), ["A.8.13"]);
        assert!(numbers("8 of 13, version 1.2, AB.1.2", 9).is_empty());
        assert!(has_words("A.8.13 Backup") && !has_words("A.8.13, A.5.1"));
    }
}
