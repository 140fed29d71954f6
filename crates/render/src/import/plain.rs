//! Plain text.

use super::block::{Block, Blocks, Item, Line, Run, Style};
use super::lost::{Lost, Report};

const BULLETS: &[char] =
    &['•', '·', '▪', '◦', '‣', '–', '-', '*', '○', '●', '■', '□', '\u{f0b7}', '\u{f0a7}'];

/// What a mark at the begin of a line says.
pub(super) enum Mark {
    Bullet,
    /// A number and whether it is written in digits.
    Number(u64, bool),
}

/// The blocks of a plain text.
pub(super) fn read(text: &str, report: &mut Report) -> Blocks {
    let mut blocks = Blocks::default();
    let mut paragraph = String::new();
    let mut table: Vec<Vec<Line>> = Vec::new();
    for line in text.lines() {
        let row: Vec<&str> = line.trim_end().split('\t').collect();
        let is_row = row.len() > 1
            && row.first().is_some_and(|cell| mark(cell.trim()).is_none() && !cell.trim().is_empty());
        if is_row && (table.is_empty() || table.last().is_some_and(|before| before.len() == row.len())) {
            end_paragraph(&mut blocks, &mut paragraph);
            table.push(row.into_iter().map(run).collect());
            continue;
        }
        end_table(&mut blocks, &mut table);
        let indent: usize =
            line.chars().take_while(|it| it.is_whitespace()).map(|it| if it == '\t' { 4 } else { 1 }).sum();
        let words = line.trim();
        match marked(words) {
            Some((mark, words)) => {
                end_paragraph(&mut blocks, &mut paragraph);
                let number = if let Mark::Number(number, is_plain) = mark {
                    if !is_plain {
                        report.add(Lost::Numbering);
                    }
                    Some(number)
                } else {
                    None
                };
                blocks.push(Block::Item(Item {
                    level: indent.min(60),
                    number,
                    blocks: vec![Block::Paragraph(run(words))],
                }));
            }
            None if words.is_empty() => end_paragraph(&mut blocks, &mut paragraph),
            None => {
                paragraph.push_str(words);
                paragraph.push('\n');
            }
        }
    }
    end_table(&mut blocks, &mut table);
    end_paragraph(&mut blocks, &mut paragraph);
    blocks
}

fn run(text: &str) -> Line {
    vec![Run { text: text.to_owned(), style: Style::default() }]
}

fn end_paragraph(blocks: &mut Blocks, paragraph: &mut String) {
    blocks.paragraph(run(&std::mem::take(paragraph)));
}

/// One row alone is a paragraph.
fn end_table(blocks: &mut Blocks, table: &mut Vec<Vec<Line>>) {
    let table = std::mem::take(table);
    if table.len() > 1 {
        blocks.push(Block::Table(table));
    } else if let Some(row) = table.into_iter().next() {
        let cells = row.into_iter().flat_map(|cell| cell.into_iter().chain(run(" ")));
        blocks.paragraph(cells.collect());
    }
}

/// The mark of a line, and the words after it.
fn marked(line: &str) -> Option<(Mark, &str)> {
    let (begin, words) = line.split_once(char::is_whitespace)?;
    Some((mark(begin)?, words.trim_start()))
}

/// What a mark is: a bullet, or a number as in `1.`, `2)`, `(c)`.
pub(super) fn mark(text: &str) -> Option<Mark> {
    let mut letters = text.chars();
    if let (Some(letter), None) = (letters.next(), letters.next())
        && BULLETS.contains(&letter)
    {
        return Some(Mark::Bullet);
    }
    let name = text.strip_suffix(['.', ')'])?;
    let is_closed = text.ends_with(')');
    let name = if is_closed { name.strip_prefix('(').unwrap_or(name) } else { name };
    if let Ok(number) = name.parse::<u32>() {
        return (name.len() < 4).then_some(Mark::Number(u64::from(number), true));
    }
    match name.as_bytes() {
        [letter] if is_closed && letter.is_ascii_lowercase() => {
            Some(Mark::Number(u64::from(letter - b'a') + 1, false))
        }
        _ => None,
    }
}
