//! What a paragraph consists of: runs, and what is around them (ECMA-376, part 1, 17.3.2, 17.3.3).

use super::super::block::{Blocks, Line, Run, Style};
use super::super::lost::Lost;
use super::super::tree::Element;
use super::Reader;
use super::properties::Properties;

impl Reader<'_> {
    pub(super) fn inline(&mut self, element: &Element, style: &Style, line: &mut Line, beside: &mut Blocks) {
        for part in element.elements() {
            match part.name.as_str() {
                "r" => self.run(part, style, line, beside),
                "hyperlink" => {
                    let mut style = style.clone();
                    match part.attribute("id").and_then(|id| self.links.get(id)).cloned() {
                        Some(target) => style.link = self.address(&target).map(From::from),
                        None => self.report.add(Lost::Link),
                    }
                    self.inline(part, &style, line, beside);
                }
                "ins" | "moveTo" => {
                    self.report.add(Lost::TrackedChange);
                    self.inline(part, style, line, beside);
                }
                "del" | "moveFrom" => self.report.add(Lost::TrackedChange),
                "fldSimple" => {
                    let link = part.attribute("instr").and_then(|instruction| self.field_of(instruction));
                    let style = Style { link: link.or_else(|| style.link.clone()), ..style.clone() };
                    self.inline(part, &style, line, beside);
                }
                "oMath" | "oMathPara" => {
                    self.report.add(Lost::Formula);
                    for text in part.find("t") {
                        push(line, &text.text(), style);
                    }
                }
                "sdt" | "sdtContent" | "smartTag" | "customXml" | "dir" | "bdo" => {
                    self.inline(part, style, line, beside);
                }
                _ => {}
            }
        }
    }

    fn run(&mut self, run: &Element, style: &Style, line: &mut Line, beside: &mut Blocks) {
        let own = run.child("rPr");
        let of_style = self.styles.properties(own.and_then(|own| own.value("rStyle")));
        let properties = Properties::read(own).or(of_style);
        if properties.hidden == Some(true) {
            return self.report.add(Lost::Hidden);
        }
        if let Some(own) = own {
            self.report_looks(own, style);
        }
        let style = Style {
            bold: properties.bold.unwrap_or(style.bold),
            italic: properties.italic.unwrap_or(style.italic),
            strike: properties.strike.unwrap_or(style.strike),
            code: properties.code.unwrap_or(style.code),
            link: style.link.clone().or_else(|| self.field_link()),
            note: None,
        };
        self.run_parts(run, &style, line, beside);
    }

    fn run_parts(&mut self, run: &Element, style: &Style, line: &mut Line, beside: &mut Blocks) {
        for part in run.elements() {
            match part.name.as_str() {
                "t" => push(line, &part.text(), style),
                "tab" | "ptab" => push(line, " ", style),
                "br" if matches!(part.attribute("type"), Some("page" | "column")) => push(line, " ", style),
                "br" | "cr" => push(line, "\n", style),
                "noBreakHyphen" => push(line, "\u{2011}", style),
                "sym" => self.symbol(part, style, line),
                "fldChar" => self.field(part),
                "instrText" => self.instruction(part),
                "footnoteReference" => self.reference("footnote", part, line),
                "endnoteReference" => self.reference("endnote", part, line),
                "commentReference" => self.report.add(Lost::Comment),
                "drawing" | "pict" | "object" => self.drawing(part, beside),
                "AlternateContent" => {
                    // The fallback shows the same to older programs.
                    let shown = part.child("Choice").or_else(|| part.child("Fallback"));
                    shown.into_iter().for_each(|shown| self.run_parts(shown, style, line, beside));
                }
                _ => {}
            }
        }
    }

    fn report_looks(&mut self, own: &Element, around: &Style) {
        let is_colour = |colour: &str| !matches!(colour, "auto" | "000000" | "none");
        let colour = [own.value("color"), own.value("highlight")].into_iter().flatten().any(is_colour);
        let is_link = around.link.is_some() || self.field_link().is_some();
        if colour && !is_link {
            self.report.add(Lost::Colour);
        }
        if own.value("u").is_some_and(|line| line != "none") && !is_link {
            self.report.add(Lost::Underline);
        }
        if own.value("vertAlign").is_some_and(|place| place != "baseline") {
            let is_note =
                own.value("rStyle").is_some_and(|style| style.to_ascii_lowercase().contains("note"));
            if !is_note {
                self.report.add(Lost::Raised);
            }
        }
    }

    fn reference(&mut self, kind: &'static str, part: &Element, line: &mut Line) {
        let note = part.attribute("id").and_then(|id| self.note(kind, id));
        if note.is_some() {
            line.push(Run { text: String::new(), style: Style { note, ..Style::default() } });
        }
    }

    /// A character by its number in a font: boxes and arrows of Wingdings have one of their own.
    fn symbol(&mut self, part: &Element, style: &Style, line: &mut Line) {
        let code = part.attribute("char").and_then(|code| u32::from_str_radix(code, 16).ok()).unwrap_or(0);
        let known = match code & 0xff {
            0xfe => "☑",
            0xfd => "☒",
            0xa8 | 0x6f => "☐",
            0xfc => "✓",
            0xe0 => "→",
            _ => {
                self.report.add(Lost::Symbol);
                "\u{fffd}"
            }
        };
        push(line, known, style);
    }

    /// An image; or a text box, whose text follows the paragraph.
    fn drawing(&mut self, part: &Element, beside: &mut Blocks) {
        let boxes = part.find("txbxContent");
        if boxes.is_empty() {
            return self.report.add(Lost::Image);
        }
        for text in boxes {
            self.report.add(Lost::TextBox);
            self.blocks(text, beside);
        }
    }
}

fn push(line: &mut Line, text: &str, style: &Style) {
    line.push(Run { text: text.to_owned(), style: style.clone() });
}
