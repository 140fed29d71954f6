//! The text of an item in Markdown, so that it is printed as it was typed.

/// The text with a backslash before what Markdown would read (CommonMark 0.31.2, 2.4). A line ends where it was typed to
/// end, and spaces at its beginning are left out, as Markdown does.
pub fn escaped(text: &str) -> String {
    let lines: Vec<String> = text.trim().lines().map(|line| escaped_line(line.trim())).collect();
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for (at, line) in lines.iter().enumerate() {
        out.push_str(line);
        match lines.get(at + 1) {
            Some(next) if line.is_empty() || next.is_empty() => out.push('\n'),
            Some(_) => out.push_str("\\\n"),
            None => {}
        }
    }
    out
}

fn escaped_line(line: &str) -> String {
    let mut out = String::with_capacity(line.len() + line.len() / 8);
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    for (at, letter) in line.char_indices() {
        let begins_a_block = (at == 0 && matches!(letter, '#' | '+' | '-' | '='))
            || (digits > 0 && at == digits && matches!(letter, '.' | ')'));
        if begins_a_block || "\\`*_[]<>|~&{".contains(letter) {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}
