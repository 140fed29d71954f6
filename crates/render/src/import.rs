//! Documents that people have become Markdown: DOCX, HTML (as files, or pasted from a word processor or a wiki), plain text.
//!
//! What is text stays text: Markdown's characters are escaped, also the braces that begin a place of a template. What
//! Markdown cannot say is left out and listed. Work and memory are linear in the input, whatever the input is.

mod block;
mod docx;
mod encoding;
mod escape;
mod html;
mod line;
mod lost;
mod markdown;
mod marks;
mod plain;
mod table;
mod tree;

use std::fmt;

use block::{Block, Blocks};
pub use encoding::decoded;
use lost::Report;
pub use lost::{Lost, NotKept};

/// A document as Markdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The title, in one line. If it was the only heading of its level at the begin of the text, it is there no more.
    pub title: Option<String>,
    /// The text, of up to 1 MiB: what follows is not kept.
    pub markdown: String,
    /// Whether it stands in lines of its own: anything but words of one paragraph.
    pub is_block: bool,
    /// What is not in the text as it was in the document; one for each kind.
    pub not_kept: Vec<NotKept>,
}

/// Why a file cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    /// It is no DOCX file.
    NotDocx,
    /// It is protected by a password, or a file of Word 97 to 2003.
    Protected,
    /// Its ZIP archive or its XML is broken.
    Broken,
    /// It has more than 10,000 files, 32 MiB of XML, or 500,000 elements and attributes.
    TooLarge,
    /// The files that are read together have more XML than they may.
    TooLargeTogether,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotDocx => "the file is not a Word document (.docx)",
            Self::Protected => {
                "the file is protected by a password or was saved in the format of Word 97 to 2003; save it as .docx without one"
            }
            Self::Broken => "the file is damaged; open it in a word processor and save it again",
            Self::TooLarge => "the file is too large to be read",
            Self::TooLargeTogether => "the files are too large together; open this one in another step",
        })
    }
}

impl std::error::Error for Unreadable {}

/// The Markdown of an HTML document or of a part of one. It reads at most 500,000 elements, attributes and texts; if there are
/// more, the rest is listed as not kept.
pub fn html(text: &str) -> Imported {
    html::read(text)
}

/// The Markdown of HTML on the clipboard, which is put into another text: it has no title, and its headings keep their levels.
pub fn pasted(text: &str) -> Imported {
    html::read_part(text)
}

/// The Markdown of a DOCX file (ECMA-376). Of tracked changes it has the text as if all were accepted.
pub fn docx(file: &[u8]) -> Result<Imported, Unreadable> {
    let mut left = docx::MOST_BYTES;
    docx::read(file, &mut left)
}

/// The Markdown of a file which by the end of its name is a Word document, a page or plain text; none of any other. `left` is how
/// many bytes of XML it and the files after it may have together.
pub fn by_name(name: &str, file: &[u8], left: &mut u64) -> Result<Option<Imported>, Unreadable> {
    let (_, extension) = name.rsplit_once('.').unwrap_or_default();
    Ok(Some(match extension.to_ascii_lowercase().as_str() {
        "docx" => docx_within(file, left)?,
        "html" | "htm" => html(&decoded(file)),
        "txt" => text(&decoded(file)),
        _ => return Ok(None),
    }))
}

/// The Markdown of a DOCX file with at most so many bytes of XML `left`.
fn docx_within(file: &[u8], left: &mut u64) -> Result<Imported, Unreadable> {
    let most = docx::MOST_BYTES.min(*left);
    let mut unused = most;
    let read = docx::read(file, &mut unused);
    *left -= most - unused;
    let is_out = unused == 0 && most < docx::MOST_BYTES;
    read.map_err(|why| if why == Unreadable::TooLarge && is_out { Unreadable::TooLargeTogether } else { why })
}

/// The Markdown of a plain text: paragraphs, lines that begin with a bullet or a number, rows of cells with tabs between them.
pub fn text(text: &str) -> Imported {
    let mut report = Report::default();
    let blocks = plain::read(text, &mut report);
    finished(blocks, &Notes::default(), None, None, report)
}

/// The texts of footnotes, in the order of their numbers.
type Notes = Vec<Vec<Block>>;

/// The document of these blocks. `title` is what the document says is its title; `name` is another name of it, if it has no title.
fn finished(
    blocks: Blocks,
    notes: &Notes,
    title: Option<String>,
    name: Option<String>,
    report: Report,
) -> Imported {
    let mut blocks = blocks.nested();
    while matches!(blocks.last(), Some(Block::Rule)) {
        blocks.pop();
    }
    let title = title.or_else(|| first_heading(&mut blocks)).or(name).map(|title| one_line(&title));
    let mut highest = u8::MAX;
    block::headings(&mut blocks, &mut |level| highest = highest.min(*level));
    block::headings(&mut blocks, &mut |level| *level -= highest - 1);
    let title = title.filter(|title| !title.is_empty());
    Imported { title, ..written(&blocks, notes, report) }
}

/// The part of a document with these blocks, for the middle of another.
fn part(blocks: Blocks, notes: &Notes, report: Report) -> Imported {
    written(&blocks.nested(), notes, report)
}

fn written(blocks: &[Block], notes: &Notes, mut report: Report) -> Imported {
    let (markdown, is_cut) = markdown::document(blocks, notes);
    if is_cut {
        report.add(Lost::Rest);
    }
    let is_block = !matches!(blocks, [] | [Block::Paragraph(_)]) || !notes.is_empty();
    Imported { title: None, markdown, is_block, not_kept: report.not_kept() }
}

/// Takes the heading that the text begins with, if no other has its level or a higher one.
fn first_heading(blocks: &mut Vec<Block>) -> Option<String> {
    let Some(Block::Heading(highest, line)) = blocks.first() else { return None };
    let is_alone =
        blocks.iter().skip(1).all(|block| !matches!(block, Block::Heading(level, _) if level <= highest));
    let has_notes = line.iter().any(|run| run.style.note.is_some());
    let title = block::words(line);
    (is_alone && !has_notes).then(|| blocks.remove(0)).map(|_| title)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
