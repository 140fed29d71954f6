//! A document between what it came from and its Markdown.

use std::rc::Rc;

/// A paragraph's text: runs of characters that look alike. A line break is `\n`.
pub(super) type Line = Vec<Run>;

#[derive(Debug, Clone, Default)]
pub(super) struct Run {
    pub(super) text: String,
    pub(super) style: Style,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Style {
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) strike: bool,
    pub(super) code: bool,
    /// The address of the link that it is in.
    pub(super) link: Option<Rc<str>>,
    /// The number of the footnote, from 1, that is referred to here.
    pub(super) note: Option<usize>,
}

#[derive(Debug)]
pub(super) enum Block {
    /// With its level, from 1 to 6.
    Heading(u8, Line),
    Paragraph(Line),
    /// A part of a list that is not yet nested.
    Item(Item),
    List(List),
    /// Rows of cells.
    Table(Vec<Vec<Line>>),
    Quote(Vec<Block>),
    Code(String),
    Rule,
}

/// An item of a list that is known by its level, from 0. Those with numbers are of an ordered list.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) level: usize,
    pub(super) number: Option<u64>,
    pub(super) blocks: Vec<Block>,
}

/// A list; an ordered one begins with a number.
#[derive(Debug)]
pub(super) struct List {
    pub(super) start: Option<u64>,
    pub(super) items: Vec<Vec<Block>>,
}

impl List {
    fn continues_with(&self, number: Option<u64>) -> bool {
        let next = self.start.map(|start| start.saturating_add(self.items.len() as u64));
        next == number
    }
}

/// Collects blocks.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    blocks: Vec<Block>,
}

impl Blocks {
    /// Adds a paragraph, or several if there are empty lines in it; none if it has no words.
    pub(super) fn paragraph(&mut self, line: Line) {
        self.blocks.extend(paragraphs(line).into_iter().map(Block::Paragraph));
    }

    pub(super) fn push(&mut self, block: Block) {
        self.blocks.push(block);
    }

    /// Adds a block: quotes and code that follow each other are one.
    pub(super) fn join(&mut self, block: Block) {
        match (self.blocks.last_mut(), block) {
            (Some(Block::Quote(before)), Block::Quote(quote)) => before.extend(quote),
            (Some(Block::Code(before)), Block::Code(code)) => {
                before.push('\n');
                before.push_str(&code);
            }
            (_, block) => self.blocks.push(block),
        }
    }

    pub(super) fn extend(&mut self, blocks: Vec<Block>) {
        self.blocks.extend(blocks);
    }

    /// The blocks, in which items that follow each other are lists.
    pub(super) fn nested(self) -> Vec<Block> {
        let mut out = Vec::new();
        let mut open: Vec<(usize, List)> = Vec::new();
        for block in self.blocks {
            let Block::Item(Item { level, number, blocks }) = block else {
                close(&mut open, &mut out, 0);
                out.push(block);
                continue;
            };
            close(&mut open, &mut out, level + 1);
            if open.last().is_some_and(|(known, list)| *known == level && !list.continues_with(number)) {
                close(&mut open, &mut out, level);
            }
            match open.last_mut() {
                Some((known, list)) if *known == level => list.items.push(blocks),
                _ => open.push((level, List { start: number, items: vec![blocks] })),
            }
        }
        close(&mut open, &mut out, 0);
        out
    }
}

/// Closes the open lists of this level and deeper: each is in the last item of the one around it.
fn close(open: &mut Vec<(usize, List)>, out: &mut Vec<Block>, level: usize) {
    while open.last().is_some_and(|(known, _)| *known >= level) {
        let Some((_, list)) = open.pop() else { return };
        let around = open.last_mut().and_then(|(_, around)| around.items.last_mut());
        around.unwrap_or(out).push(Block::List(list));
    }
}

/// The paragraphs of a line: empty lines end them.
fn paragraphs(line: Line) -> Vec<Line> {
    let (mut out, mut current) = (vec![], vec![]);
    let mut is_empty_line = false;
    for Run { text, style } in line {
        let mut run = String::new();
        for letter in text.chars() {
            if letter == '\n' && is_empty_line {
                current.push(Run { text: std::mem::take(&mut run), style: style.clone() });
                out.push(std::mem::take(&mut current));
            }
            is_empty_line = letter == '\n' || (is_empty_line && letter.is_whitespace());
            run.push(letter);
        }
        is_empty_line &= style.note.is_none();
        current.push(Run { text: run, style });
    }
    out.push(current);
    out.retain(has_words);
    out
}

/// Calls `see` with the level of each heading.
pub(super) fn headings(blocks: &mut [Block], see: &mut impl FnMut(&mut u8)) {
    for block in blocks {
        match block {
            Block::Heading(level, _) => see(level),
            Block::List(list) => list.items.iter_mut().for_each(|item| headings(item, see)),
            Block::Quote(blocks) => headings(blocks, see),
            _ => {}
        }
    }
}

pub(super) fn has_words(line: &Line) -> bool {
    line.iter()
        .any(|run| run.style.note.is_some() || run.text.contains(|letter: char| !letter.is_whitespace()))
}

/// The words of a line without their styles.
pub(super) fn words(line: &Line) -> String {
    let text: String = line.iter().map(|run| run.text.as_str()).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
