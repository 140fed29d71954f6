//! Items of lists, which are paragraphs with the number of a list and a level.

use super::super::block::{Block, Blocks, Item, Line};
use super::super::lost::Lost;
use super::super::tree::Element;
use super::Reader;
use super::numbering::Kind;

impl Reader<'_> {
    /// The level of an item, and its number if it has one; none for other paragraphs. Headings with numbers count too.
    pub(super) fn item_of(
        &mut self,
        properties: Option<&Element>,
        style: Option<&str>,
    ) -> Option<(usize, Option<u64>)> {
        let own = properties.and_then(|properties| properties.child("numPr"));
        let of_style = || self.styles.chain(style).find_map(|style| style.list.clone());
        let list = own.and_then(|own| own.value("numId")).map(str::to_owned).or_else(of_style)?;
        let own_level = own.and_then(|own| own.value("ilvl")).and_then(|level| level.parse().ok());
        let level = own_level.or_else(|| self.styles.chain(style).find_map(|style| style.level)).unwrap_or(0);
        // "List Bullet 2" is the first level of a list of its own.
        let by_name = self.styles.chain(style).find_map(|style| {
            let name = style.name.strip_prefix("list ")?;
            name.split_once(' ').and_then(|(_, level)| level.parse::<usize>().ok())
        });
        let shown = level.max(by_name.unwrap_or(1).clamp(1, 9) - 1);
        let numbered = self.numbering.count(&list, level)?;
        let is_heading = self.styles.heading(style).is_some();
        if !is_heading
            && (numbered.kind == Kind::Other || (numbered.is_compound && numbered.kind == Kind::Decimal))
        {
            self.report.add(Lost::Numbering);
        }
        match numbered.kind {
            Kind::None => None,
            Kind::Bullet => Some((shown, None)),
            Kind::Decimal | Kind::Other => Some((shown, Some(numbered.number))),
        }
    }

    pub(super) fn item(&mut self, level: usize, number: Option<u64>, line: Line, out: &mut Blocks) {
        let mut blocks = Blocks::default();
        blocks.paragraph(line);
        out.push(Block::Item(Item { level, number, blocks: blocks.nested() }));
    }
}
