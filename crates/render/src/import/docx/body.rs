//! Paragraphs, and what is around them (ECMA-376, part 1, 17.2, 17.3.1).

use super::super::block::{Block, Blocks, Line, Run, Style, has_words, words};
use super::super::lost::Lost;
use super::super::tree::Element;
use super::Reader;

const QUOTES: &[&str] = &["quote", "intense quote", "quotations", "block text"];

const CODE: &[&str] =
    &["preformatted text", "html preformatted", "code", "source code", "macro", "plain text"];

impl Reader<'_> {
    pub(super) fn blocks(&mut self, element: &Element, out: &mut Blocks) {
        for part in element.elements() {
            match part.name.as_str() {
                "p" => self.paragraph(part, out),
                "tbl" => self.table(part, out),
                "sdt" if is_contents(part) => self.report.add(Lost::Contents),
                "sdt" => {
                    if let Some(content) = part.child("sdtContent") {
                        self.blocks(content, out);
                    }
                }
                "ins" | "moveTo" => {
                    self.report.add(Lost::TrackedChange);
                    self.blocks(part, out);
                }
                "del" | "moveFrom" => self.report.add(Lost::TrackedChange),
                "customXml" | "smartTag" | "AlternateContent" | "Choice" => self.blocks(part, out),
                "oMathPara" | "oMath" => {
                    let mut line = Line::new();
                    self.inline(part, &Style::default(), &mut line, out);
                    out.paragraph(line);
                }
                "altChunk" => self.report.add(Lost::Image),
                _ => {}
            }
        }
    }

    fn paragraph(&mut self, element: &Element, out: &mut Blocks) {
        let properties = element.child("pPr");
        let style = properties.and_then(|properties| properties.value("pStyle"));
        if self.styles.chain(style).any(|style| style.name.starts_with("toc ") && style.name != "toc heading")
        {
            self.report.add(Lost::Contents);
            return;
        }
        // What stands beside the paragraph follows it.
        let (mut line, mut beside) = (Line::new(), Blocks::default());
        self.inline(element, &Style::default(), &mut line, &mut beside);
        let outline = properties
            .and_then(|properties| properties.value("outlineLvl"))
            .and_then(|level| level.parse::<u8>().ok());
        let heading = match outline {
            Some(9..) => None,
            Some(level) => Some(level + 1),
            None => self.styles.heading(style),
        };
        let is_empty = !has_words(&line);
        let item = if is_empty { None } else { self.item_of(properties, style) };
        if is_empty {
            // Nothing but what stands beside it.
        } else if self.title.is_none() && self.styles.is_one_of(style, &["title"]) {
            self.title = Some(words(&line));
        } else if let Some(level) = heading {
            self.report.heading(&words(&line));
            out.push(Block::Heading(level.clamp(1, 6), unstressed(line)));
        } else if self.styles.is_one_of(style, CODE) {
            out.join(Block::Code(line.iter().map(|run| run.text.as_str()).collect()));
        } else if let Some((level, number)) = item {
            self.item(level, number, line, out);
        } else if self.styles.is_one_of(style, QUOTES) {
            let mut quote = Blocks::default();
            quote.paragraph(line);
            out.join(Block::Quote(quote.nested()));
        } else {
            out.paragraph(line);
        }
        out.extend(beside.nested());
    }
}

/// What a heading looks like is said by its level.
fn unstressed(line: Line) -> Line {
    line.into_iter().map(|run| Run { style: Style { bold: false, ..run.style }, ..run }).collect()
}

/// Whether it is a table of contents of Word.
fn is_contents(sdt: &Element) -> bool {
    let galleries =
        sdt.child("sdtPr").map(|properties| properties.find("docPartGallery")).unwrap_or_default();
    galleries.iter().any(|gallery| gallery.attribute("val") == Some("Table of Contents"))
}
