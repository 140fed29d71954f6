//! Which of 8,192 records with consecutive numbers have a word, and the weight of the best text with it.

use domain::search::Weight;

/// How many records a block has.
///
/// A write of some records that follow each other changes the words of one block: larger ones would make it slower.
pub(crate) const SIZE: i64 = 8_192;

/// Words of 64 bits in a plane.
const PLANE: usize = 128;

/// The length of the dense form: both planes.
const DENSE: usize = 2 * 8 * PLANE;

/// From so many records on the dense form is the shorter one.
const MANY: usize = DENSE / 2;

/// The weights of the records of a block by their offset, in two planes: one of the higher bits of the weights and one of the
/// lower bits. Of a record without the word both bits are 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block(Box<Planes>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Planes {
    high: [u64; PLANE],
    low: [u64; PLANE],
}

impl Block {
    /// No record.
    pub(crate) fn empty() -> Self {
        Self(Box::new(Planes { high: [0; PLANE], low: [0; PLANE] }))
    }

    /// The block that has a record, and its offset there.
    pub(crate) fn place(number: i64) -> (i64, usize) {
        (number.div_euclid(SIZE), usize::try_from(number.rem_euclid(SIZE)).unwrap_or_default())
    }

    /// Reads the stored form; none if it is damaged.
    pub(crate) fn decode(stored: &[u8]) -> Option<Self> {
        let mut block = Self::empty();
        block.add(stored)?;
        Some(block)
    }

    /// Adds what the stored form of another block has, each record with the better weight of the two; none if it is damaged.
    ///
    /// A list of two bytes for each record that has the word, the lower first: the offset, and in the two lowest bits the
    /// weight. From 1,024 records on the planes, the higher bits first.
    pub(super) fn add(&mut self, stored: &[u8]) -> Option<()> {
        if stored.len() == DENSE {
            self.or(&Self::of_planes(stored));
            return Some(());
        }
        for pair in list(stored) {
            let pair = pair?;
            let (offset, weight) = (usize::from(pair >> 2), u8::try_from(pair & 3).ok()?);
            let weight = self.weight(offset).max(weight);
            self.set(offset, Weight::of(weight));
        }
        Some(())
    }

    fn of_planes(stored: &[u8]) -> Self {
        let mut block = Self::empty();
        let Planes { high, low } = &mut *block.0;
        for (word, bytes) in high.iter_mut().chain(low).zip(stored.chunks_exact(8)) {
            *word = bytes.try_into().map_or(0, u64::from_le_bytes);
        }
        block
    }

    /// The stored form; none if no record has the word.
    pub(crate) fn encode(&self) -> Option<Vec<u8>> {
        match self.count() {
            0 => None,
            1..MANY => {
                let offset = |offset| u16::try_from(offset).unwrap_or_default();
                let pair = |(at, weight): (i64, Weight)| offset(at) << 2 | u16::from(weight as u8);
                Some(self.records().flat_map(|record| pair(record).to_le_bytes()).collect())
            }
            _ => Some(self.0.high.iter().chain(&self.0.low).flat_map(|word| word.to_le_bytes()).collect()),
        }
    }

    /// Sets the weight of a record, or that it does not have the word.
    pub(crate) fn set(&mut self, offset: usize, weight: Option<Weight>) {
        let (place, bit) = (offset / 64, 1 << (offset % 64));
        let weight = weight.map_or(0, |weight| weight as u8);
        for (plane, is_set) in [(&mut self.0.high, weight & 2 > 0), (&mut self.0.low, weight & 1 > 0)] {
            if let Some(word) = plane.get_mut(place) {
                *word = if is_set { *word | bit } else { *word & !bit };
            }
        }
    }

    /// The weight of a record; 0: it does not have the word.
    fn weight(&self, offset: usize) -> u8 {
        let bit = |plane: &[u64; PLANE]| {
            plane.get(offset / 64).map_or(0, |word| u8::from(word >> (offset % 64) & 1 == 1))
        };
        bit(&self.0.high) << 1 | bit(&self.0.low)
    }

    /// Whether a record has the word.
    pub(super) fn has(&self, offset: usize) -> bool {
        self.weight(offset) > 0
    }

    /// The offsets of the records with this weight, the greatest first.
    pub(super) fn with(&self, weight: Weight) -> impl Iterator<Item = i64> {
        let (is_high, is_low) = (weight as u8 & 2 > 0, weight as u8 & 1 > 0);
        let those = move |(high, low): (u64, u64)| {
            (if is_high { high } else { !high }) & (if is_low { low } else { !low })
        };
        self.words().rev().flat_map(move |(first, word)| {
            let mut left = those(word);
            std::iter::from_fn(move || {
                let bit = 63_u32.checked_sub(left.leading_zeros())?;
                left &= !(1 << bit);
                Some(first + i64::from(bit))
            })
        })
    }

    /// Every record that has the word, by offset, with its weight.
    pub(crate) fn records(&self) -> impl Iterator<Item = (i64, Weight)> {
        self.words().flat_map(|(first, (high, low))| {
            let mut left = high | low;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros();
                (bit < 64).then(|| left &= !(1 << bit))?;
                let weight = u8::from(high >> bit & 1 == 1) << 1 | u8::from(low >> bit & 1 == 1);
                Some((first + i64::from(bit), Weight::of(weight)?))
            })
        })
    }

    /// The words of both planes, with the offset of their first record.
    fn words(&self) -> impl DoubleEndedIterator<Item = (i64, (u64, u64))> {
        let Planes { high, low } = &*self.0;
        let first = |place: usize| i64::try_from(64 * place).unwrap_or_default();
        (0..PLANE).zip(high.iter().zip(low)).map(move |(place, (high, low))| (first(place), (*high, *low)))
    }

    /// Both words: the worse weight of the two.
    pub(super) fn and(&mut self, other: &Self) {
        self.each(other, |(high, low), (other_high, other_low)| {
            let (mine_is_worse, other_is_worse) = (other_high & !high, high & !other_high);
            let worse =
                low & other_low & !(high ^ other_high) | low & mine_is_worse | other_low & other_is_worse;
            (high & other_high, worse)
        });
    }

    /// One word or the other: the better weight.
    pub(super) fn or(&mut self, other: &Self) {
        self.each(other, |(high, low), (other_high, other_low)| {
            let (mine_is_better, other_is_better) = (high & !other_high, other_high & !high);
            let better =
                (low | other_low) & !(high ^ other_high) | low & mine_is_better | other_low & other_is_better;
            (high | other_high, better)
        });
    }

    /// Without the records that have the other word.
    pub(super) fn without(&mut self, other: &Self) {
        self.each(other, |(high, low), (other_high, other_low)| {
            let others = other_high | other_low;
            (high & !others, low & !others)
        });
    }

    /// Only the records that have the other word, with their own weights.
    pub(super) fn only(&mut self, other: &Self) {
        self.each(other, |(high, low), (other_high, other_low)| {
            let others = other_high | other_low;
            (high & others, low & others)
        });
    }

    /// Changes the words of both planes by those of another block.
    fn each(&mut self, other: &Self, change: impl Fn((u64, u64), (u64, u64)) -> (u64, u64)) {
        let Planes { high, low } = &mut *self.0;
        let mine = high.iter_mut().zip(low);
        let others = other.0.high.iter().zip(&other.0.low);
        for ((high, low), (other_high, other_low)) in mine.zip(others) {
            (*high, *low) = change((*high, *low), (*other_high, *other_low));
        }
    }

    /// How many records have the word.
    pub(super) fn count(&self) -> usize {
        self.words().map(|(_, (high, low))| (high | low).count_ones() as usize).sum()
    }

    /// Whether no record has the word.
    pub(super) fn is_empty(&self) -> bool {
        self.words().all(|(_, (high, low))| high | low == 0)
    }
}

/// The stored form of the records that have a word after some changes, each an offset with its new weight; nothing if no record
/// has the word any more. An error if the form is damaged.
///
/// A word of few records is changed in its list: a write of many words would otherwise spend most of its time on empty places.
pub(super) fn changed(
    stored: Option<&[u8]>,
    changes: &[(usize, Option<Weight>)],
) -> Result<Option<Vec<u8>>, Damaged> {
    let stored = stored.unwrap_or_default();
    if stored.len() + 2 * changes.len() >= DENSE {
        let mut block = Block::decode(stored).ok_or(Damaged)?;
        changes.iter().for_each(|(offset, weight)| block.set(*offset, *weight));
        return Ok(block.encode());
    }
    let mut pairs = list(stored).collect::<Option<Vec<u16>>>().ok_or(Damaged)?;
    for (offset, weight) in changes {
        let offset = u16::try_from(*offset).map_err(|_| Damaged)?;
        let pair = weight.map(|weight| offset << 2 | u16::from(weight as u8));
        match (pairs.binary_search_by_key(&offset, |pair| pair >> 2), pair) {
            (Ok(place), Some(pair)) => pairs.iter_mut().skip(place).take(1).for_each(|it| *it = pair),
            (Ok(place), None) => drop(pairs.remove(place)),
            (Err(place), Some(pair)) => pairs.insert(place, pair),
            (Err(_), None) => {}
        }
    }
    Ok((!pairs.is_empty()).then(|| pairs.into_iter().flat_map(u16::to_le_bytes).collect()))
}

/// What is stored is not a block.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Damaged;

/// The pairs of the list form: an offset, and in the two lowest bits its weight. None for one that is damaged.
fn list(stored: &[u8]) -> impl Iterator<Item = Option<u16>> {
    stored.chunks(2).map(|pair| {
        let pair = u16::from_le_bytes(pair.try_into().ok()?);
        let is_valid = pair & 3 > 0 && i64::from(pair >> 2) < SIZE;
        is_valid.then_some(pair)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_block_is_read_as_it_was_written(
            records in prop::collection::btree_map(0..8_192_usize, prop::sample::select(Weight::ALL.to_vec()), 0..2_000),
        ) {
            let mut block = Block::empty();
            records.iter().for_each(|(offset, weight)| block.set(*offset, Some(*weight)));
            let found: Vec<_> = block.records().collect();
            let expected: Vec<_> =
                records.iter().map(|(offset, weight)| (i64::try_from(*offset).unwrap(), *weight)).collect();
            prop_assert_eq!(found, expected);
            match block.encode() {
                None => prop_assert!(records.is_empty()),
                Some(stored) => {
                    prop_assert!(stored.len() <= 2_048);
                    prop_assert_eq!(Block::decode(&stored), Some(block));
                }
            }
        }
    }

    proptest! {
        #[test]
        fn a_list_is_changed_as_its_block_is(
            before in prop::collection::btree_map(0..200_usize, prop::sample::select(Weight::ALL.to_vec()), 0..60),
            changes in prop::collection::vec((0..200_usize, prop::option::of(prop::sample::select(Weight::ALL.to_vec()))), 0..60),
            many in any::<bool>(),
        ) {
            let mut block = Block::empty();
            before.iter().for_each(|(offset, weight)| block.set(*offset, Some(*weight)));
            if many {
                (300..1_320).for_each(|offset| block.set(offset, Some(Weight::Rest)));
            }
            let stored = block.encode();
            changes.iter().for_each(|(offset, weight)| block.set(*offset, *weight));
            prop_assert_eq!(changed(stored.as_deref(), &changes), Ok(block.encode()));
        }
    }

    proptest! {
        #[test]
        fn blocks_are_combined_as_their_weights_are(
            (one, other) in (weights(), weights()),
        ) {
            type Change = fn(&mut Block, &Block);
            type Rule = fn(u8, u8) -> u8;
            let rules: [(Change, Rule); 5] = [
                (Block::and, u8::min),
                (Block::or, u8::max),
                (Block::without, |one, other| if other > 0 { 0 } else { one }),
                (Block::only, |one, other| if other > 0 { one } else { 0 }),
                (|block, other| other.encode().map_or((), |it| block.add(&it).unwrap()), u8::max),
            ];
            for (change, rule) in rules {
                let (mut found, other_block) = (block_of(&one), block_of(&other));
                change(&mut found, &other_block);
                let expected: Vec<u8> = one.iter().zip(&other).map(|(one, other)| rule(*one, *other)).collect();
                prop_assert_eq!(&found, &block_of(&expected));
                let of_weights: usize = Weight::ALL.iter().map(|weight| found.with(*weight).count()).sum();
                prop_assert_eq!(found.count(), of_weights);
                prop_assert_eq!(found.is_empty(), of_weights == 0);
            }
        }
    }

    /// Weights of the first records of a block; 0: without the word.
    fn weights() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![prop::collection::vec(0..4_u8, 200), prop::collection::vec(0..4_u8, 3_000)].prop_map(
            |mut weights| {
                // Both have as many.
                weights.resize(3_000, 0);
                weights
            },
        )
    }

    fn block_of(weights: &[u8]) -> Block {
        let mut block = Block::empty();
        weights.iter().enumerate().for_each(|(offset, weight)| block.set(offset, Weight::of(*weight)));
        block
    }

    #[test]
    fn records_of_a_weight_come_from_the_last_to_the_first() {
        let mut block = Block::empty();
        for offset in [0, 63, 64, 8_191] {
            block.set(offset, Some(Weight::Title));
        }
        block.set(65, Some(Weight::Rest));
        assert_eq!(block.with(Weight::Title).collect::<Vec<_>>(), [8_191, 64, 63, 0]);
        assert_eq!(block.with(Weight::Rest).collect::<Vec<_>>(), [65]);
        assert_eq!(block.with(Weight::Description).count(), 0);
    }

    #[test]
    fn damaged_blocks_are_refused() {
        assert_eq!(changed(Some(&[0, 0]), &[]), Err(Damaged));
        assert_eq!(Block::decode(&[1]), None);
        assert_eq!(Block::decode(&[0, 0]), None, "a record without a weight");
        assert_eq!(Block::decode(&[0xFF, 0xFF]), None, "an offset behind the block");
    }
}
