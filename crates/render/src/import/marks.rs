//! Where emphasis begins and ends: what stands beside its marks decides whether Markdown sees them (CommonMark 0.31.2, 6.2).

use std::rc::Rc;

use super::block::{Line, Style};

pub(super) const BOLD: u8 = 1;
pub(super) const ITALIC: u8 = 2;
pub(super) const STRIKE: u8 = 4;
pub(super) const CODE: u8 = 8;

/// A character with its styles; or a reference to a footnote.
#[derive(Debug, Clone, Copy)]
pub(super) struct Letter<'l> {
    pub(super) letter: char,
    pub(super) flags: u8,
    pub(super) link: Option<&'l Rc<str>>,
    pub(super) note: Option<usize>,
}

impl Letter<'_> {
    pub(super) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Whether both are in one link, or in none.
    pub(super) fn same_link(&self, other: &Self) -> bool {
        match (self.link, other.link) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        }
    }

    /// Whether both have the same styles, so that no mark is between them.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.flags == other.flags && self.same_link(other)
    }

    fn is_space(&self) -> bool {
        self.letter.is_whitespace() && self.note.is_none()
    }
}

/// The characters of a line, without what nobody sees: spaces at its ends, several in a row, control characters.
pub(super) fn letters(line: &Line, keeps_breaks: bool) -> Vec<Letter<'_>> {
    let mut out: Vec<Letter<'_>> = Vec::new();
    for run in line {
        let link = run.style.link.as_ref();
        let flags = flags(&run.style);
        for letter in run.text.chars() {
            let letter = match letter {
                '\n' if keeps_breaks => '\n',
                '\u{ad}' | '\u{200b}' | '\u{feff}' => continue,
                '\t' | '\r' | '\n' => ' ',
                '\u{2028}' | '\u{2029}' | '\u{85}' => ' ',
                letter if letter.is_control() => continue,
                letter => letter,
            };
            match out.last_mut() {
                Some(last) if letter.is_whitespace() && last.is_space() => {
                    last.letter = if letter == '\n' || last.letter == '\n' { '\n' } else { ' ' };
                    last.flags &= flags;
                    last.link = last.link.filter(|known| link.is_some_and(|link| Rc::ptr_eq(known, link)));
                }
                None if letter.is_whitespace() => {}
                _ => out.push(Letter { letter, flags, link, note: None }),
            }
        }
        if run.style.note.is_some() {
            out.push(Letter { letter: ' ', flags: 0, link: None, note: run.style.note });
        }
    }
    if out.last().is_some_and(Letter::is_space) {
        out.pop();
    }
    let mut around = vec![links(&out)];
    for flag in [BOLD, ITALIC, STRIKE] {
        untangle(&mut out, flag, &around);
        settle(&mut out, flag);
        around.push(ranges(&out, |letter| letter.has(flag)));
    }
    out
}

fn flags(style: &Style) -> u8 {
    let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    flag(style.bold, BOLD) | flag(style.italic, ITALIC) | flag(style.strike, STRIKE) | flag(style.code, CODE)
}

type Ranges = Vec<(usize, usize)>;

fn ranges(letters: &[Letter<'_>], holds: impl Fn(&Letter<'_>) -> bool) -> Ranges {
    let mut ranges = Ranges::new();
    for (at, _) in letters.iter().enumerate().filter(|(_, letter)| holds(letter)) {
        match ranges.last_mut() {
            Some((_, end)) if *end == at => *end += 1,
            _ => ranges.push((at, at + 1)),
        }
    }
    ranges
}

fn links(letters: &[Letter<'_>]) -> Ranges {
    let mut ranges = Ranges::new();
    for (at, letter) in letters.iter().enumerate().filter(|(_, letter)| letter.link.is_some()) {
        let before = at.checked_sub(1).and_then(|before| letters.get(before));
        match ranges.last_mut() {
            Some((_, end)) if *end == at && before.is_some_and(|before| before.same_link(letter)) => {
                *end += 1;
            }
            _ => ranges.push((at, at + 1)),
        }
    }
    ranges
}

/// Takes a style from where it overlaps another in part: marks are in each other, or apart.
fn untangle(letters: &mut [Letter<'_>], flag: u8, around: &[Ranges]) {
    for (start, end) in ranges(letters, |letter| letter.has(flag)) {
        let (mut from, mut to) = (start, end);
        for others in around {
            let covering = |at: usize| {
                let next = others.partition_point(|(_, end)| *end <= at);
                others.get(next).copied().filter(|(start, _)| *start <= at)
            };
            if let Some((_, other_end)) = covering(from).filter(|(start, end)| *start < from && *end < to) {
                from = other_end;
            }
            if let Some((other_start, _)) = covering(to - 1).filter(|(start, end)| *start > from && *end > to)
            {
                to = other_start;
            }
        }
        keep(letters, flag, (start, end), (from, to));
    }
}

/// Takes a style from what is in the first range and not in the second.
fn keep(letters: &mut [Letter<'_>], flag: u8, (start, end): (usize, usize), (from, to): (usize, usize)) {
    for (at, letter) in letters.iter_mut().enumerate().take(end).skip(start) {
        if at < from || at >= to {
            letter.flags &= !flag;
        }
    }
}

/// Takes a style from the ends of its ranges as long as Markdown would not see marks there.
fn settle(letters: &mut [Letter<'_>], flag: u8) {
    for (start, end) in ranges(letters, |letter| letter.has(flag)) {
        let (mut from, mut to) = (start, end);
        while from < to && cannot_mark(letters, from, from.checked_sub(1)) {
            from += 1;
        }
        while from < to && cannot_mark(letters, to - 1, Some(to)) {
            to -= 1;
        }
        keep(letters, flag, (start, end), (from, to));
    }
}

/// Whether no mark can be between a character inside of it and the one outside of it.
fn cannot_mark(letters: &[Letter<'_>], inside: usize, outside: Option<usize>) -> bool {
    let Some(inner) = letters.get(inside) else { return true };
    if inner.is_space() || inner.note.is_some() {
        return true;
    }
    let Some(outer) = outside.and_then(|at| letters.get(at)) else { return false };
    let begins_link = inner.link.is_some() && !inner.same_link(outer);
    let is_punctuation = begins_link || inner.has(CODE) || !inner.letter.is_alphanumeric();
    is_punctuation && !outer.is_space()
}
