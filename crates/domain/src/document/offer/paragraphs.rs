//! Merging two changed texts of one base, paragraph by paragraph.

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

/// The most paragraphs that are compared; of a longer text everything counts as changed.
const MOST: usize = 2_000;

/// The paragraphs of a template: what empty lines separate, without them. Fenced code and a block of the template are never
/// separated.
pub(super) fn paragraphs(text: &str) -> Vec<&str> {
    let (mut found, mut fence, mut depth) = (Vec::new(), None, 0_usize);
    let (mut start, mut end) = (0, 0);
    for line in text.split_inclusive('\n') {
        match fence {
            None => fence = fence_of(line),
            Some(open) if closes(line, open) => fence = None,
            Some(_) => {}
        }
        let blocks =
            || line.match_indices("{%").filter_map(|(at, _)| line.get(at + 2..).map(str::trim_start));
        depth += blocks().filter(|block| block.starts_with("if")).count();
        depth = depth.saturating_sub(blocks().filter(|block| block.starts_with("endif")).count());
        end += line.len();
        if line.trim().is_empty() && fence.is_none() && depth == 0 {
            found.extend(text.get(start..end));
            start = end;
        }
    }
    found.extend(text.get(start..));
    let found = found.into_iter().map(|paragraph| paragraph.trim_end().trim_start_matches(['\n', '\r']));
    found.filter(|paragraph| !paragraph.is_empty()).collect()
}

/// The character and the length of the fence that a line begins.
fn fence_of(line: &str) -> Option<(char, usize)> {
    let line = line.trim_start();
    let first = line.chars().next().filter(|first| matches!(first, '`' | '~'))?;
    let length = line.chars().take_while(|letter| *letter == first).count();
    (length >= 3).then_some((first, length))
}

fn closes(line: &str, (letter, length): (char, usize)) -> bool {
    fence_of(line).is_some_and(|(other, found)| other == letter && found >= length)
        && line.trim().chars().all(|it| it == letter)
}

/// What one of the texts has in place of some paragraphs of the base.
struct Change {
    base: Range<usize>,
    /// Its own paragraphs.
    of: Range<usize>,
    is_own: bool,
}

fn changes(base: &[&str], other: &[&str], is_own: bool) -> Vec<Change> {
    if base.len().max(other.len()) > MOST {
        return vec![Change { base: 0..base.len(), of: 0..other.len(), is_own }];
    }
    let found = capture_diff_slices(Algorithm::Myers, base, other).into_iter();
    let found = found.filter(|it| it.tag() != DiffTag::Equal);
    found.map(|it| Change { base: it.old_range(), of: it.new_range(), is_own }).collect()
}

/// The paragraphs with the changes of both texts. Where both changed the same ones differently, or the document `refuses` what is
/// offered, the own ones stay, and `both` gets them and the offered ones.
pub(super) fn merge<'t>(
    [base, own, offered]: [&[&'t str]; 3],
    refuses: impl Fn(&[&str]) -> bool,
    mut both: impl FnMut(&[&str], &[&str]),
) -> Vec<&'t str> {
    let mut all = changes(base, own, true);
    all.extend(changes(base, offered, false));
    all.sort_by_key(|it| (it.base.start, it.base.end));
    let (mut merged, mut at, mut rest) = (Vec::new(), 0, all.into_iter().peekable());
    while let Some(first) = rest.next() {
        let (mut span, mut group) = (first.base.clone(), vec![first]);
        while let Some(next) = rest.next_if(|next| overlap(&span, &next.base)) {
            span.end = span.end.max(next.base.end);
            group.push(next);
        }
        let [own_changes, offered_changes] = [true, false].map(|is_own| {
            let of_one = group.iter().filter(|it| it.is_own == is_own);
            of_one.collect::<Vec<_>>()
        });
        let own_text = changed(base, &span, &own_changes, own);
        let offered_text = changed(base, &span, &offered_changes, offered);
        let keeps_own = !own_changes.is_empty() || refuses(&offered_text);
        if keeps_own && own_text != offered_text && !offered_changes.is_empty() {
            both(&own_text, &offered_text);
        }
        merged.extend(part(base, at..span.start));
        merged.extend(if keeps_own { own_text } else { offered_text });
        at = span.end;
    }
    merged.extend(part(base, at..base.len()));
    merged
}

/// Whether changes are of the same paragraphs, or add some at the same place. `next` does not begin before `span`.
fn overlap(span: &Range<usize>, next: &Range<usize>) -> bool {
    next.start < span.end || (span.is_empty() && next == span)
}

/// What a text with these changes has in place of a part of the base.
fn changed<'t>(base: &[&'t str], span: &Range<usize>, changes: &[&Change], text: &[&'t str]) -> Vec<&'t str> {
    let (mut found, mut at) = (Vec::new(), span.start);
    for change in changes {
        found.extend(part(base, at..change.base.start));
        found.extend(part(text, change.of.clone()));
        at = change.base.end;
    }
    found.extend(part(base, at..span.end));
    found
}

fn part<'p, 't>(of: &'p [&'t str], range: Range<usize>) -> &'p [&'t str] {
    of.get(range).unwrap_or_default()
}
