//! Writes a line as Markdown: its marks of emphasis, links, code and footnotes.

use std::rc::Rc;

use super::block::Line;
use super::escape::{Place, address, longest_ticks, needs_backslash};
use super::marks::{BOLD, CODE, ITALIC, Letter, STRIKE, letters};

/// The most characters of an address in a text that is written as a link.
const MOST_URL: usize = 2_000;

#[derive(Clone, Copy)]
enum Mark<'l> {
    Link(&'l Rc<str>),
    Flag(u8, &'static str),
}

const FLAGS: [(u8, &str); 3] = [(BOLD, "**"), (ITALIC, "*"), (STRIKE, "~~")];

impl Mark<'_> {
    fn holds(self, letter: &Letter<'_>) -> bool {
        match self {
            Self::Link(link) => letter.link.is_some_and(|known| Rc::ptr_eq(known, link)),
            Self::Flag(flag, _) => letter.has(flag),
        }
    }
}

/// The Markdown of a line; it is one line, but for line breaks in a paragraph. Words count more than styles: italics that
/// Markdown would not read beside other marks are left out.
pub(super) fn line(line: &Line, place: Place) -> String {
    let mut letters = letters(line, place == Place::Paragraph);
    let mut out = written(&letters, place);
    for flag in [ITALIC, BOLD] {
        if letters.iter().all(|letter| letter.flags & (BOLD | ITALIC) == 0) || reads_as(&out, &letters, place)
        {
            break;
        }
        letters.iter_mut().for_each(|letter| letter.flags &= !flag);
        out = written(&letters, place);
    }
    out
}

fn written(letters: &[Letter<'_>], place: Place) -> String {
    let mut writer = Writer { letters, place, out: String::new(), line_at: 0, open: Vec::new() };
    let mut at = 0;
    while let Some(letter) = letters.get(at) {
        writer.change_marks(at, letter);
        at = writer.write(at, letter);
    }
    writer.close(0);
    writer.out
}

/// Whether the Markdown of a line has the words that it was made from, and no mark among them.
fn reads_as(markdown: &str, letters: &[Letter<'_>], place: Place) -> bool {
    let mut words = String::from(BESIDE);
    for letter in letters {
        match letter.note {
            Some(note) => words.push_str(&format!("[^{note}]")),
            None => words.push(letter.letter),
        }
    }
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    // A table takes the backslash before a bar, also in code.
    let markdown = if place == Place::Cell { markdown.replace("\\|", "|") } else { markdown.to_owned() };
    crate::plain(&format!("{BESIDE}{markdown}")) == words
}

/// Before a line it keeps it from being read as a heading, a list or a table.
const BESIDE: &str = "x ";

struct Writer<'l> {
    letters: &'l [Letter<'l>],
    place: Place,
    out: String,
    /// Where the current line begins.
    line_at: usize,
    open: Vec<Mark<'l>>,
}

impl<'l> Writer<'l> {
    fn change_marks(&mut self, at: usize, letter: &Letter<'l>) {
        let kept = self.open.iter().position(|mark| !mark.holds(letter)).unwrap_or(self.open.len());
        self.close(kept);
        let rest = self.letters.get(at..).unwrap_or_default();
        let flags = FLAGS
            .into_iter()
            .filter(|(flag, _)| letter.has(*flag))
            .map(|(flag, mark)| Mark::Flag(flag, mark));
        let wanted = letter.link.map(Mark::Link).into_iter().chain(flags);
        let mut new: Vec<(usize, Mark<'l>)> = wanted
            .filter(|mark| !self.open.iter().any(|open| same(open, mark)))
            .map(|mark| (rest.iter().take_while(|letter| mark.holds(letter)).count(), mark))
            .collect();
        // What ends last is outside.
        new.sort_by_key(|(length, _)| std::cmp::Reverse(*length));
        for (_, mark) in new {
            self.out.push_str(if let Mark::Flag(_, mark) = mark { mark } else { "[" });
            self.open.push(mark);
        }
    }

    /// Closes the marks after the first `kept`.
    fn close(&mut self, kept: usize) {
        while self.open.len() > kept {
            match self.open.pop() {
                Some(Mark::Flag(_, mark)) => self.out.push_str(mark),
                Some(Mark::Link(link)) => {
                    self.out.push_str("](");
                    self.out.push_str(&address(link));
                    self.out.push(')');
                }
                None => {}
            }
        }
    }

    /// Writes what is at a place, and returns the next place.
    fn write(&mut self, at: usize, letter: &Letter<'l>) -> usize {
        if let Some(note) = letter.note {
            self.out.push_str(&format!("[^{note}]"));
        } else if letter.has(CODE) {
            return self.code(at, letter);
        } else if letter.letter == '\n' {
            self.out.push('\n');
            self.line_at = self.out.len();
        } else if let Some(url) = self.url(at) {
            let length = url.chars().count();
            self.out.push('<');
            self.out.push_str(&url);
            self.out.push('>');
            return at + length;
        } else {
            let begun =
                (self.place == Place::Paragraph).then(|| self.out.get(self.line_at..).unwrap_or_default());
            if needs_backslash(self.letters, at, begun, self.place) {
                self.out.push('\\');
            }
            self.out.push(letter.letter);
        }
        at + 1
    }

    /// Code cannot have escapes: what a template reads is no code then.
    fn code(&mut self, at: usize, first: &Letter<'l>) -> usize {
        let rest = self.letters.get(at..).unwrap_or_default();
        let same = |letter: &&Letter<'_>| {
            letter.flags == first.flags && letter.same_link(first) && letter.note.is_none()
        };
        let code: Vec<char> = rest.iter().take_while(same).map(|letter| letter.letter).collect();
        let text: String = code.iter().map(|letter| if *letter == '\n' { ' ' } else { *letter }).collect();
        let is_template = text.contains("{{") || text.contains("{%");
        let is_ambiguous = self.place == Place::Cell && text.contains('|') && text.contains('\\');
        if is_template || is_ambiguous || text.trim().is_empty() {
            for letter in text.chars() {
                if letter.is_ascii_punctuation() {
                    self.out.push('\\');
                }
                self.out.push(letter);
            }
            return at + code.len();
        }
        let ticks = "`".repeat(longest_ticks(&text) + 1);
        let pad = if text.trim().starts_with('`') || text.trim().ends_with('`') { " " } else { "" };
        let inner = if self.place == Place::Cell { text.replace('|', "\\|") } else { text };
        // Spaces at the ends stand outside: Markdown takes one from each end.
        let (start, end) = (inner.len() - inner.trim_start().len(), inner.len() - inner.trim_end().len());
        self.out.push_str(if start > 0 { " " } else { "" });
        self.out.push_str(&format!("{ticks}{pad}{}{pad}{ticks}", inner.trim()));
        self.out.push_str(if end > 0 { " " } else { "" });
        at + code.len()
    }

    /// An address that begins here and is written as a link, which is what it will be.
    fn url(&self, at: usize) -> Option<String> {
        let rest = self.letters.get(at..)?;
        let first = rest.first().filter(|letter| letter.letter == 'h' && letter.link.is_none())?;
        let begin: String = rest.iter().take(8).map(|letter| letter.letter).collect();
        if !begin.starts_with("http://") && !begin.starts_with("https://") {
            return None;
        }
        let in_url = |it: &&Letter<'_>| {
            !it.letter.is_whitespace() && it.note.is_none() && it.flags == first.flags && it.link.is_none()
        };
        let url: String = rest.iter().take(MOST_URL).take_while(in_url).map(|letter| letter.letter).collect();
        let url = url.split(['<', '>']).next().unwrap_or_default();
        let url =
            url.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '"', ')', ']', '*', '_', '~', '|']);
        let is_safe = url.len() > begin.len() && !url.contains(['\\', '`', '{', '|', '&', '*']);
        is_safe.then(|| url.to_owned())
    }
}

fn same(a: &Mark<'_>, b: &Mark<'_>) -> bool {
    match (a, b) {
        (Mark::Link(a), Mark::Link(b)) => Rc::ptr_eq(a, b),
        (Mark::Flag(a, _), Mark::Flag(b, _)) => a == b,
        _ => false,
    }
}
