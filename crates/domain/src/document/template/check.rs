//! Whether blocks begin and end, and whether what a template names exists.

use std::collections::{HashMap, HashSet};

use super::fault::{self, Reason};
use super::tokens::{Block, Condition, Faults, Target, Token};
use super::{Template, TemplateFault, headings};

/// The most blocks inside each other.
const MAX_DEPTH: usize = 16;

/// The items that a template may name: their ids, and the ids of the options of those that have some.
pub type Places<'i> = HashMap<&'i str, Option<HashSet<&'i str>>>;

/// Finds blocks that do not begin or end, and those that are nested too deeply.
pub(super) fn blocks(tokens: &[(usize, Token<'_>)], faults: &mut Faults) {
    // Where each open block began, and whether its `else` has been.
    let mut open: Vec<(usize, bool)> = Vec::new();
    for (at, token) in tokens {
        let Token::Block(block, _) = token else { continue };
        let word = block.word();
        match (block, open.last_mut()) {
            (Block::If(_), _) => {
                open.push((*at, false));
                if open.len() == MAX_DEPTH + 1 {
                    faults.push((*at, Reason::TooDeep(MAX_DEPTH)));
                }
            }
            (_, None) => faults.push((*at, Reason::NoBlock(word))),
            (Block::Endif, Some(_)) => drop(open.pop()),
            (_, Some((_, true))) => faults.push((*at, Reason::AfterElse(word))),
            (Block::Else, Some((_, has_else))) => *has_else = true,
            (Block::Elif(_), Some(_)) => {}
        }
    }
    faults.extend(open.into_iter().map(|(at, _)| (at, Reason::NoEndif)));
}

impl Template<'_> {
    /// Checks that it names only these items and their options, and refers only to what is there.
    pub fn check(&self, items: &Places<'_>) -> Result<(), Vec<TemplateFault>> {
        let printed: HashSet<_> = self.tokens.iter().filter_map(|(_, token)| value(*token)).collect();
        let (mut anchors, mut faults) = (HashSet::new(), Vec::new());
        for (at, anchor) in headings::anchors(self.text) {
            if !anchors.insert(anchor) {
                faults.push((at, Reason::AnchorTwice(anchor.to_owned())));
            }
        }
        for (at, token) in &self.tokens {
            let reason = match token {
                Token::Value(item) => unknown(items, item),
                Token::Reference(Target::Item(item)) => unknown(items, item)
                    .or_else(|| (!printed.contains(item)).then(|| Reason::NotPrinted((*item).to_owned()))),
                Token::Reference(Target::Anchor(anchor)) => {
                    (!anchors.contains(anchor)).then(|| Reason::UnknownAnchor((*anchor).to_owned()))
                }
                Token::Block(Block::If(it) | Block::Elif(it), _) => condition(items, *it),
                _ => None,
            };
            faults.extend(reason.map(|reason| (*at, reason)));
        }
        fault::located(self.text, faults)
    }
}

fn value<'t>(token: Token<'t>) -> Option<&'t str> {
    if let Token::Value(item) = token { Some(item) } else { None }
}

fn unknown(items: &Places<'_>, item: &str) -> Option<Reason> {
    (!items.contains_key(item)).then(|| Reason::UnknownItem(item.to_owned()))
}

fn condition(items: &Places<'_>, it: Condition<'_>) -> Option<Reason> {
    let (item, option) = (it.item.to_owned(), it.option.to_owned());
    match items.get(it.item) {
        None => Some(Reason::UnknownItem(item)),
        Some(None) => Some(Reason::NotASelect(item)),
        Some(Some(options)) => {
            (!options.contains(it.option)).then_some(Reason::UnknownOption { item, option })
        }
    }
}
