//! What somebody sees of HTML: its blocks in their order, and which words are emphasised or links.

use scraper::node::Node;
use scraper::{ElementRef, Html};

#[derive(Default)]
struct Outline {
    lines: Vec<String>,
    text: String,
    /// Headings are this much lower than they say.
    lowered_by: u8,
    is_heading: bool,
}

/// The outline of HTML whose headings will be lowered.
pub(super) fn outline(html: &str, lowered_by: u8) -> Vec<String> {
    let mut outline = Outline { lowered_by, ..Outline::default() };
    outline.element(Html::parse_fragment(html).root_element(), "");
    outline.end();
    outline.lines
}

impl Outline {
    /// Ends a line; spaces are not told from each other.
    fn end(&mut self) {
        let text = std::mem::take(&mut self.text);
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.lines.extend(Some(words).filter(|words| !words.is_empty()));
    }

    fn element(&mut self, element: ElementRef<'_>, style: &str) {
        let name = element.value().name();
        let style = match name {
            // A heading is no bolder than its level says.
            "strong" | "b" if self.is_heading => style.to_owned(),
            "strong" | "b" => format!("{style}b"),
            "em" | "i" => format!("{style}i"),
            "del" | "s" => format!("{style}s"),
            "code" if !style.ends_with('p') => format!("{style}c"),
            "pre" => "p".to_owned(),
            "a" => format!("{style}{}", element.attr("href").unwrap()),
            _ => style.to_owned(),
        };
        let shown = match name {
            "ul" | "li" | "blockquote" | "table" | "tr" | "hr" | "pre" => name.to_owned(),
            "td" | "th" => "td".to_owned(),
            "ol" => format!("ol {}", element.attr("start").unwrap_or("1")),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                let level: u8 = name[1..].parse().unwrap();
                format!("h{}", (level + self.lowered_by).min(6))
            }
            _ => String::new(),
        };
        if !shown.is_empty() || name == "p" {
            self.end();
        }
        if !shown.is_empty() {
            self.lines.push(format!("<{shown}>"));
        }
        let around = self.is_heading;
        self.is_heading |= shown.starts_with('h');
        for child in element.children() {
            match child.value() {
                Node::Text(text) => self.words(text, &style),
                Node::Element(child) if child.name() == "br" => self.text.push_str(" ⏎ "),
                Node::Element(_) => self.element(ElementRef::wrap(child).unwrap(), &style),
                _ => {}
            }
        }
        self.is_heading = around;
        if !shown.is_empty() || name == "p" {
            self.end();
        }
        if !shown.is_empty() {
            self.lines.push(format!("</{shown}>"));
        }
    }

    /// Emphasis is told of letters and digits only: marks cannot be at every punctuation.
    /// Nor can what a template reads be code.
    fn words(&mut self, text: &str, style: &str) {
        let is_no_code =
            text.contains("{{") || text.contains("{%") || (text.contains('|') && text.contains('\\'));
        let style = if is_no_code { &style.replace('c', "") } else { style };
        let mut letters: Vec<char> = style.chars().filter(|_| style.len() < 4).collect();
        letters.sort_unstable();
        let style = if style.len() < 4 { letters.into_iter().collect() } else { style.to_owned() };
        for letter in text.chars() {
            if letter.is_alphanumeric() && !style.is_empty() {
                self.text.push_str(&format!("{{{style}}}"));
            }
            self.text.push(letter);
        }
    }
}
