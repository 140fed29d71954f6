//! What a search has found, before any record is read.

use std::collections::{BTreeMap, HashMap};

use db::Engine;
use domain::search::Weight;

use super::block::{Block, SIZE};
use crate::ledger::list::{Direction, Filter, Position};

/// Records of one kind by number, each with its weight.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    blocks: BTreeMap<i64, Block>,
}

/// What the records that were found are ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FoundOrder {
    /// The best first, and of those the latest.
    Best,
    /// The number.
    Number(Direction),
}

impl FoundOrder {
    /// The number of the latest record that a page after this position may begin with, if the latest are its best.
    pub(crate) fn latest(self, after: Option<&Position>) -> i64 {
        match (self, after) {
            (Self::Number(Direction::Ascending), _) => i64::MIN,
            (_, None) => i64::MAX,
            (Self::Number(Direction::Descending), Some(after)) => after.number(),
            (Self::Best, Some(after)) => match after.ranked() {
                Some((Weight::Title, number)) => number,
                _ => i64::MIN,
            },
        }
    }
}

/// The weights of the records of a page, where they are in the order of a search.
#[derive(Debug, Default)]
pub struct Ranks(HashMap<i64, Weight>);

impl Ranks {
    /// The weight of the record with this number.
    pub(crate) fn weight(&self, number: i64) -> Weight {
        self.0.get(&number).copied().unwrap_or(Weight::Rest)
    }

    /// Where the record with this number stands.
    pub fn position(&self, number: i64) -> Position {
        Position::of(Some((self.weight(number) as i64).into()), number)
    }
}

impl Found {
    /// Adds the stored form of a block, each record with the better weight of the two; none if it is damaged.
    pub(crate) fn add(&mut self, block: i64, stored: &[u8]) -> Option<()> {
        self.blocks.entry(block).or_insert_with(Block::empty).add(stored)
    }

    /// Records with these numbers, with the least weight.
    pub(crate) fn of_numbers(numbers: impl IntoIterator<Item = i64>) -> Self {
        let mut found = Self::default();
        numbers.into_iter().for_each(|number| found.add_number(number));
        found
    }

    /// Adds a record, with the least weight.
    pub(crate) fn add_number(&mut self, number: i64) {
        self.set(number, Some(Weight::Rest));
    }

    /// Whether it has the record with this number.
    pub(crate) fn has(&self, number: i64) -> bool {
        let (block, offset) = Block::place(number);
        self.blocks.get(&block).is_some_and(|block| block.has(offset))
    }

    /// How many there are.
    pub(crate) fn count(&self) -> i64 {
        i64::try_from(self.blocks.values().map(Block::count).sum::<usize>()).unwrap_or(i64::MAX)
    }

    /// The numbers from 1 to `last` that it does not have.
    pub(crate) fn others(&self, last: i64) -> Self {
        let mut others = Self::of_numbers(1..=last);
        others.without(self);
        others
    }

    pub(crate) fn set(&mut self, number: i64, weight: Option<Weight>) {
        let (block, offset) = Block::place(number);
        self.blocks.entry(block).or_insert_with(Block::empty).set(offset, weight);
    }

    /// Those that the other has too, each with the worse weight of the two.
    pub(crate) fn and(&mut self, other: &Self) {
        self.blocks.retain(|number, block| match other.blocks.get(number) {
            Some(other) => {
                block.and(other);
                !block.is_empty()
            }
            None => false,
        });
    }

    pub(crate) fn without(&mut self, other: &Self) {
        for (number, block) in &mut self.blocks {
            if let Some(other) = other.blocks.get(number) {
                block.without(other);
            }
        }
    }

    /// Only those that the other has, whatever its weights.
    pub(crate) fn only(&mut self, other: &Self) {
        self.blocks.retain(|number, block| match other.blocks.get(number) {
            Some(other) => {
                block.only(other);
                !block.is_empty()
            }
            None => false,
        });
    }

    pub(crate) fn or(mut self, other: Self) -> Self {
        for (number, block) in other.blocks {
            self.blocks.entry(number).or_insert_with(Block::empty).or(&block);
        }
        self
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.values().all(Block::is_empty)
    }

    /// The blocks that have any.
    pub(crate) fn blocks(&self) -> Vec<i64> {
        self.blocks.keys().copied().collect()
    }

    /// The numbers in their order.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = i64> {
        self.blocks.iter().flat_map(|(block, it)| it.records().map(move |(offset, _)| block * SIZE + offset))
    }

    /// All of them as a filter.
    pub(crate) fn filter(&self, engine: Engine) -> Filter<'static> {
        Filter::among(engine, self.numbers())
    }

    /// The best first, and of those the latest; with a position those after it.
    pub(crate) fn ranked(&self, after: Option<(Weight, i64)>) -> impl Iterator<Item = (Weight, i64)> {
        let weights =
            Weight::ALL.into_iter().filter(move |weight| after.is_none_or(|(least, _)| *weight <= least));
        weights.flat_map(move |weight| {
            let before = after.filter(|(least, _)| *least == weight).map_or(i64::MAX, |(_, number)| number);
            let (last, _) = Block::place(before);
            let blocks = self.blocks.range(..=last).rev();
            let numbers =
                blocks.flat_map(move |(block, it)| it.with(weight).map(move |offset| block * SIZE + offset));
            numbers.filter(move |number| *number < before).map(move |number| (weight, number))
        })
    }

    /// By number; with a position those after it.
    fn numbered(
        &self,
        direction: Direction,
        after: Option<i64>,
    ) -> Box<dyn Iterator<Item = (Weight, i64)> + Send + '_> {
        let of_block = |(block, it): (&i64, &Block)| {
            let first = block * SIZE;
            let records = it.records().map(|(offset, weight)| (weight, first + offset));
            records.collect::<Vec<_>>()
        };
        match direction {
            Direction::Ascending => {
                let after = after.unwrap_or(i64::MIN);
                let found = self.blocks.range(Block::place(after).0..).flat_map(of_block);
                Box::new(found.filter(move |(_, number)| *number > after))
            }
            Direction::Descending => {
                let before = after.unwrap_or(i64::MAX);
                let blocks = self.blocks.range(..=Block::place(before).0).rev();
                let found = blocks.flat_map(move |it| of_block(it).into_iter().rev());
                Box::new(found.filter(move |(_, number)| *number < before))
            }
        }
    }

    /// The records in an order, in portions for pages of `limit`: the first has that many and one, the others grow, since
    /// filters may let few through.
    pub(crate) fn portions(
        &self,
        order: FoundOrder,
        after: Option<&Position>,
        limit: i64,
    ) -> impl Iterator<Item = Vec<(Weight, i64)>> {
        let mut ranked: Box<dyn Iterator<Item = (Weight, i64)> + Send + '_> = match order {
            FoundOrder::Best => Box::new(self.ranked(after.and_then(Position::ranked))),
            FoundOrder::Number(direction) => self.numbered(direction, after.map(Position::number)),
        };
        let mut size = usize::try_from(limit).unwrap_or(usize::MAX).saturating_add(1);
        std::iter::from_fn(move || {
            let portion: Vec<_> = ranked.by_ref().take(size).collect();
            size = size.saturating_mul(8);
            (!portion.is_empty()).then_some(portion)
        })
    }
}

/// The rows of a page in the order of a search, as they come from the portions.
pub(crate) struct Ranked<T> {
    rows: Vec<T>,
    ranks: HashMap<i64, Weight>,
    limit: usize,
}

impl<T> Ranked<T> {
    pub(crate) fn new(limit: i64) -> Self {
        Self { rows: Vec::new(), ranks: HashMap::new(), limit: usize::try_from(limit).unwrap_or(usize::MAX) }
    }

    /// How many more rows it takes to fill the page, and to know that more follow.
    pub(crate) fn left(&self) -> i64 {
        i64::try_from(self.limit.saturating_add(1).saturating_sub(self.rows.len())).unwrap_or(i64::MAX)
    }

    /// Adds the rows that were found of a portion. Whether the page is full, and it is known that more follow.
    pub(crate) fn add(&mut self, portion: Vec<(Weight, i64)>, rows: Vec<T>, number: fn(&T) -> i64) -> bool {
        let mut rows: HashMap<i64, T> = rows.into_iter().map(|row| (number(&row), row)).collect();
        for (weight, number) in portion {
            if let Some(row) = rows.remove(&number) {
                self.ranks.insert(number, weight);
                self.rows.push(row);
            }
        }
        self.rows.len() > self.limit
    }

    /// The same with other rows.
    pub(crate) fn map<U>(self, row: impl FnMut(T) -> U) -> Ranked<U> {
        Ranked { rows: self.rows.into_iter().map(row).collect(), ranks: self.ranks, limit: self.limit }
    }

    /// Whether the page stays as it is whatever is found among older records.
    pub(crate) fn is_final(&self, order: FoundOrder) -> bool {
        let is_best = || self.ranks.values().all(|weight| *weight == Weight::Title);
        self.rows.len() > self.limit && (order != FoundOrder::Best || is_best())
    }

    /// The rows, of which there may be more than a page has.
    pub(crate) fn rows(self) -> (Vec<T>, Ranks) {
        (self.rows, Ranks(self.ranks))
    }

    pub(crate) fn page(mut self) -> (crate::ledger::page::Page<T>, Ranks) {
        let has_more = self.rows.len() > self.limit;
        self.rows.truncate(self.limit);
        (crate::ledger::page::Page { rows: self.rows, has_more }, Ranks(self.ranks))
    }
}
