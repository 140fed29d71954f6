//! Texts and words as parts of a sentence.

/// The most characters of a text within a sentence.
const QUOTED_CHARACTERS: usize = 100;

/// The most characters of a reason, which ends a sentence.
const REASON_CHARACTERS: usize = 500;

/// `near_miss` is `Near miss`.
pub(super) fn word(text: &str) -> String {
    let text = text.replace('_', " ");
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// With a small first letter, as within a sentence.
pub(crate) fn lowercase(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_lowercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// A text within a sentence.
pub(super) fn quoted(text: &str) -> String {
    format!("“{}”", short(text, QUOTED_CHARACTERS))
}

/// A reason as the end of a sentence.
pub(super) fn reason(text: &str) -> String {
    short(text, REASON_CHARACTERS)
}

/// The text on one line, with at most `most` characters.
pub(super) fn short(text: &str, most: usize) -> String {
    // No more of a long text is looked at than can be shown.
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.len() > most * 4 {
            break;
        }
    }
    match line.char_indices().nth(most) {
        None => line,
        Some(_) => {
            let kept: String = line.chars().take(most.saturating_sub(1)).collect();
            format!("{}…", kept.trim_end())
        }
    }
}
