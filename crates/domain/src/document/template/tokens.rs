//! The parts of a template in their order: its Markdown, and what stands between double braces or `{%` and `%}`.

use std::fmt;

use super::fault::Reason;

/// The parts of a template, each with the byte at which it begins.
pub(super) type Tokens<'t> = Vec<(usize, Token<'t>)>;

/// What is wrong, each with the byte at which it is.
pub(super) type Faults = Vec<(usize, Reason)>;

/// A part of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// Markdown.
    Text(&'t str),
    /// The value of the item with this id.
    Value(&'t str),
    /// The number of a heading.
    Reference(Target<'t>),
    /// The begin, another branch or the end of a block; and whether it has a line of its own, of which nothing is printed.
    Block(Block<'t>, bool),
}

/// What a reference refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target<'t> {
    /// The heading that this item stands under.
    Item(&'t str),
    /// The heading with this anchor.
    Anchor(&'t str),
}

/// A line of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Block<'t> {
    If(Condition<'t>),
    Elif(Condition<'t>),
    Else,
    Endif,
}

/// Whether an item has this option as its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Condition<'t> {
    pub(super) item: &'t str,
    pub(super) option: &'t str,
}

impl<'t> Token<'t> {
    /// The item that it names.
    pub(super) fn item(self) -> Option<&'t str> {
        match self {
            Self::Value(item) | Self::Reference(Target::Item(item)) => Some(item),
            Self::Block(Block::If(it) | Block::Elif(it), _) => Some(it.item),
            _ => None,
        }
    }
}

impl Block<'_> {
    /// Its keyword.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::If(_) => "if",
            Self::Elif(_) => "elif",
            Self::Else => "else",
            Self::Endif => "endif",
        }
    }
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Value(item) => write!(f, "{{{{{item}}}}}"),
            Self::Reference(Target::Item(item)) => write!(f, "{{{{ref:{item}}}}}"),
            Self::Reference(Target::Anchor(anchor)) => write!(f, "{{{{ref:#{anchor}}}}}"),
            Self::Block(block, has_a_line) => {
                write!(f, "{{% {}", block.word())?;
                if let Block::If(it) | Block::Elif(it) = block {
                    write!(f, " {} == \"{}\"", it.item, it.option)?;
                }
                f.write_str(if *has_a_line { " %}\n" } else { " %}" })
            }
        }
    }
}

/// Reads the parts, each with the byte at which it begins, and what is wrong. Each byte is looked at a bounded number of
/// times: the rest of a line in which a part does not end is Markdown.
pub(super) fn read(text: &str) -> (Tokens<'_>, Faults) {
    let (mut tokens, mut faults) = (Vec::new(), Vec::new());
    // From where the text is not yet in a token, and from where the next brace is looked for.
    let (mut from, mut next) = (0, 0);
    while let Some(at) = text[next..].find('{').map(|found| next + found) {
        let rest = &text[at..];
        let Some((end_mark, is_block)) = opened(rest, is_escaped(&text[..at])) else {
            next = at + if rest.starts_with("{{") || rest.starts_with("{%") { 2 } else { 1 };
            continue;
        };
        let length = match length(rest, end_mark) {
            Ok(length) => length,
            Err(line) => {
                faults.push((at, Reason::NotClosed(end_mark)));
                next = at + line;
                continue;
            }
        };
        let (inner, after) = (rest[2..length - 2].trim(), at + length);
        next = after;
        let token = if is_block { block(inner) } else { place(inner) };
        let Some(token) = token else {
            faults.push((at, Reason::UnknownForm(rest[..length].to_owned())));
            continue;
        };
        let (before, end, token) = alone(text, from, at, after, token);
        push_text(&mut tokens, text, from, before);
        tokens.push((at, token));
        (from, next) = (end, end);
    }
    push_text(&mut tokens, text, from, text.len());
    (tokens, faults)
}

/// Whether a place or a block begins here, with what it ends. A brace after a backslash is Markdown's.
fn opened(rest: &str, is_escaped: bool) -> Option<(&'static str, bool)> {
    match rest.as_bytes().get(1) {
        _ if is_escaped => None,
        Some(b'{') => Some(("}}", false)),
        Some(b'%') => Some(("%}", true)),
        _ => None,
    }
}

/// Whether a brace after this text is Markdown's: after a backslash that is not itself after one.
fn is_escaped(before: &str) -> bool {
    before.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}

/// The length of a place or a block with its braces; or that of the rest of its line, if it does not end there.
fn length(rest: &str, end_mark: &str) -> Result<usize, usize> {
    let end = |at: usize| rest.as_bytes().get(at..at + 2) == Some(end_mark.as_bytes());
    let mut bytes = rest.bytes().enumerate().skip(2);
    match bytes.find(|(at, byte)| *byte == b'\n' || end(*at)) {
        Some((at, byte)) if byte != b'\n' => Ok(at + 2),
        Some((at, _)) => Err(at),
        None => Err(rest.len()),
    }
}

fn push_text<'t>(tokens: &mut Tokens<'t>, text: &'t str, from: usize, to: usize) {
    if from < to {
        tokens.push((from, Token::Text(&text[from..to])));
    }
}

/// Where the text before a token ends and the text after it begins. A block's line that has nothing else is left out whole.
fn alone<'t>(
    text: &str,
    from: usize,
    at: usize,
    after: usize,
    token: Token<'t>,
) -> (usize, usize, Token<'t>) {
    let Token::Block(block, _) = token else { return (at, after, token) };
    let blank = |letter: char| letter == ' ' || letter == '\t';
    let before = text[from..at].trim_end_matches(blank).len() + from;
    let begins_a_line = before == 0 || text[..before].ends_with('\n');
    let rest = text[after..].trim_start_matches(blank);
    match rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n')) {
        Some(next) if begins_a_line => (before, text.len() - next.len(), Token::Block(block, true)),
        None if begins_a_line && rest.is_empty() => (before, text.len(), Token::Block(block, true)),
        _ => (at, after, token),
    }
}

/// `item`, `ref:item` or `ref:#anchor`.
fn place(inner: &str) -> Option<Token<'_>> {
    let token = match inner.strip_prefix("ref:").map(str::trim_start) {
        None => Token::Value(inner),
        Some(target) => {
            Token::Reference(target.strip_prefix('#').map_or(Target::Item(target), Target::Anchor))
        }
    };
    let name = match token {
        Token::Reference(Target::Item(name) | Target::Anchor(name)) => name,
        _ => inner,
    };
    is_name(name).then_some(token)
}

/// `if item == "option"`, `elif item == "option"`, `else` or `endif`.
fn block(inner: &str) -> Option<Token<'_>> {
    let (word, rest) = inner.split_once([' ', '\t']).unwrap_or((inner, ""));
    let block = match word {
        "if" => Block::If(condition(rest)?),
        "elif" => Block::Elif(condition(rest)?),
        "else" if rest.trim().is_empty() => Block::Else,
        "endif" if rest.trim().is_empty() => Block::Endif,
        _ => return None,
    };
    Some(Token::Block(block, false))
}

fn condition(text: &str) -> Option<Condition<'_>> {
    let (item, option) = text.split_once("==")?;
    let (item, option) = (item.trim(), option.trim());
    let option = option.strip_prefix('"')?.strip_suffix('"')?;
    let is_option = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    (is_name(item) && !option.is_empty() && option.bytes().all(is_option))
        .then_some(Condition { item, option })
}

/// Whether a text is an item's id or an anchor: `[a-z0-9-]`.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}
