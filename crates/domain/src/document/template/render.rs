//! The text of a document: its template with the values of its items.

use std::collections::HashMap;

use super::Template;
use super::escape::escaped;
use super::headings::{self, Heading, Numbers};
use super::size::{MAX_PREFIX, is_prefix};
use super::tokens::{Block, Condition, Target, Token};

/// What is printed for a reference to a heading that this text does not have.
const NO_HEADING: &str = "—";

/// What an item prints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed<'v> {
    /// The chosen option; of a text, or without a value, none.
    pub option: Option<&'v str>,
    /// The option's text, or the text.
    pub text: &'v str,
    /// Whether the text is Markdown; otherwise it is printed as it was typed.
    pub is_markdown: bool,
}

/// A change of the text at a byte: until where the text is left out, and what is printed there.
type Splice<'t> = (usize, usize, Insert<'t>);

enum Insert<'t> {
    Number(String),
    Reference(Target<'t>),
    Nothing,
}

impl<'t> Template<'t> {
    /// The Markdown, with numbered headings.
    pub fn render<'v>(&self, value: impl Fn(&str) -> Printed<'v>) -> String {
        let (text, items, references) = self.print(value);
        let all: Vec<Heading<'_>> = headings::read(&text).collect();
        let mut numbers = Numbers::from(all.iter().map(|it| it.level).min().unwrap_or(1));
        let numbered: Vec<(Heading<'_>, String)> =
            all.into_iter().map(|it| (it, numbers.next(it.level))).collect();
        let found = Found::of(&numbered, &items);
        let mut splices: Vec<Splice<'_>> = Vec::new();
        for (heading, number) in &numbered {
            splices.push((heading.at, heading.at, Insert::Number(format!("{number} "))));
            splices.extend(heading.anchor.map(|(from, to, _)| (from, to, Insert::Nothing)));
        }
        splices.extend(references.into_iter().map(|(at, target)| (at, at, Insert::Reference(target))));
        splices.sort_by_key(|(from, ..)| *from);
        spliced(&text, &splices, &found)
    }

    /// The text without numbers; where the items were printed first; and where numbers of headings go.
    fn print<'v>(
        &self,
        value: impl Fn(&str) -> Printed<'v>,
    ) -> (String, HashMap<&'t str, usize>, Vec<(usize, Target<'t>)>) {
        let (mut text, mut items, mut references) = (String::new(), HashMap::new(), Vec::new());
        let mut branches = Branches::default();
        for (_, token) in &self.tokens {
            match *token {
                Token::Block(block, _) => {
                    branches.step(block, |it| value(it.item).option == Some(it.option));
                }
                _ if !branches.is_printed() => {}
                Token::Text(part) => text.push_str(part),
                Token::Reference(target) => references.push((text.len(), target)),
                Token::Value(item) => {
                    items.entry(item).or_insert(text.len());
                    push_value(&mut text, &value(item));
                }
            }
        }
        (text, items, references)
    }
}

/// Adds a value. The further lines of one in a list or a quotation stay in it, unless that begins with too much to be one.
fn push_value(out: &mut String, value: &Printed<'_>) {
    let text = if value.is_markdown { value.text.trim().to_owned() } else { escaped(value.text) };
    if !text.contains('\n') {
        out.push_str(&text);
        return;
    }
    let line = &out[out.rfind('\n').map_or(0, |at| at + 1)..];
    let is_prefix = line.len() <= MAX_PREFIX && is_prefix(line);
    let keep = |letter: char| if letter == '>' || letter == '\t' { letter } else { ' ' };
    let prefix: String = if is_prefix { line.chars().map(keep).collect() } else { String::new() };
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            out.push('\n');
            out.push_str(if line.is_empty() { prefix.trim_end() } else { &prefix });
        }
        out.push_str(line);
    }
}

/// Which branches of the open blocks are printed.
#[derive(Default)]
struct Branches {
    open: Vec<Branch>,
}

/// A block: whether the blocks around it are printed, whether one of its branches has been, and whether the present one is.
struct Branch {
    is_inside: bool,
    was_taken: bool,
    is_taken: bool,
}

impl Branches {
    fn is_printed(&self) -> bool {
        self.open.last().is_none_or(|it| it.is_inside && it.is_taken)
    }

    fn step(&mut self, block: Block<'_>, holds: impl Fn(Condition<'_>) -> bool) {
        match block {
            Block::If(condition) => {
                let (is_inside, is_taken) = (self.is_printed(), holds(condition));
                self.open.push(Branch { is_inside, was_taken: is_taken, is_taken });
            }
            Block::Endif => drop(self.open.pop()),
            Block::Elif(_) | Block::Else => {
                let Some(branch) = self.open.last_mut() else { return };
                let holds = if let Block::Elif(condition) = block { holds(condition) } else { true };
                branch.is_taken = !branch.was_taken && holds;
                branch.was_taken |= branch.is_taken;
            }
        }
    }
}

/// The numbers of the headings that are referred to.
struct Found<'t> {
    anchors: HashMap<&'t str, &'t str>,
    items: HashMap<&'t str, &'t str>,
}

impl<'t> Found<'t> {
    fn of(numbered: &'t [(Heading<'t>, String)], items: &HashMap<&'t str, usize>) -> Self {
        let anchor = |(heading, number): &'t (Heading<'t>, String)| {
            heading.anchor.map(|(_, _, name)| (name, number.as_str()))
        };
        let under = |(item, at): (&&'t str, &usize)| {
            let next = numbered.partition_point(|(heading, _)| heading.at <= *at);
            Some((*item, numbered.get(next.checked_sub(1)?)?.1.as_str()))
        };
        Self {
            anchors: numbered.iter().filter_map(anchor).collect(),
            items: items.iter().filter_map(under).collect(),
        }
    }

    fn number(&self, target: Target<'_>) -> &str {
        let found = match target {
            Target::Item(item) => self.items.get(item),
            Target::Anchor(anchor) => self.anchors.get(anchor),
        };
        found.copied().unwrap_or(NO_HEADING)
    }
}

fn spliced(text: &str, splices: &[Splice<'_>], found: &Found<'_>) -> String {
    let (mut out, mut from) = (String::with_capacity(text.len() + 16 * splices.len()), 0);
    for (begin, end, insert) in splices {
        out.push_str(&text[from..*begin]);
        match insert {
            Insert::Number(number) => out.push_str(number),
            Insert::Reference(target) => out.push_str(found.number(*target)),
            Insert::Nothing => {}
        }
        from = *end;
    }
    out.push_str(&text[from..]);
    out
}
