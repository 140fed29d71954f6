//! Which of 8,192 records with consecutive numbers have a word, and the weight of the best text with it.

use domain::search::Weight;

/// How many records a block has.
///
/// A search looks a word up in each block, and a write of some records that follow each other changes the words of one block: larger
/// blocks make searches faster, smaller ones writes. With 8,192 a word is looked up 123 times among a million records.
pub(crate) const SIZE: i64 = 8_192;

/// The length of the dense form: two bits for each record.
const DENSE: usize = 2_048;

/// Weights that are passed over together.
const PART: usize = 16;

/// From so many records on the dense form is the shorter one.
const MANY: usize = DENSE / 2;

/// The weights of the records of a block by their offset; 0: it does not have the word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block(Vec<u8>);

impl Block {
    /// No record.
    pub(crate) fn empty() -> Self {
        Self(vec![0; 4 * DENSE])
    }

    /// The block that has a record, and its offset there.
    pub(crate) fn place(number: i64) -> (i64, usize) {
        (number.div_euclid(SIZE), usize::try_from(number.rem_euclid(SIZE)).unwrap_or_default())
    }

    /// Reads the stored form; none if it is damaged.
    ///
    /// A list of two bytes for each record that has the word, the lower first: the offset, and in the two lowest bits the
    /// weight. From 1,024 records on two bits for each offset.
    pub(crate) fn decode(stored: &[u8]) -> Option<Self> {
        let mut block = Self::empty();
        if stored.len() == DENSE {
            for (weights, byte) in block.0.chunks_exact_mut(4).zip(stored) {
                for (shift, weight) in weights.iter_mut().enumerate() {
                    *weight = byte >> (2 * shift) & 3;
                }
            }
            return Some(block);
        }
        for pair in list(stored) {
            let pair = pair?;
            *block.0.get_mut(usize::from(pair >> 2))? = u8::try_from(pair & 3).ok()?;
        }
        Some(block)
    }

    /// The stored form; none if no record has the word.
    pub(crate) fn encode(&self) -> Option<Vec<u8>> {
        let count = self.0.iter().filter(|weight| **weight > 0).count();
        match count {
            0 => None,
            1..MANY => Some(
                (0_u16..)
                    .zip(&self.0)
                    .filter(|(_, weight)| **weight > 0)
                    .flat_map(|(offset, weight)| (offset << 2 | u16::from(*weight)).to_le_bytes())
                    .collect(),
            ),
            _ => {
                let byte = |weights: &[u8]| weights.iter().rev().fold(0, |byte, weight| byte << 2 | weight);
                Some(self.0.chunks_exact(4).map(byte).collect())
            }
        }
    }

    /// Sets the weight of a record, or that it does not have the word.
    pub(crate) fn set(&mut self, offset: usize, weight: Option<Weight>) {
        if let Some(place) = self.0.get_mut(offset) {
            *place = weight.map_or(0, |weight| weight as u8);
        }
    }

    /// The offsets of the records with this weight, the greatest first.
    pub(super) fn with(&self, weight: Weight) -> impl Iterator<Item = i64> {
        self.filled().rev().flat_map(move |(first, weights)| {
            let offsets = (0..).zip(weights).filter(move |(_, it)| **it == weight as u8);
            let offsets: Vec<i64> = offsets.map(|(offset, _)| first + offset).collect();
            offsets.into_iter().rev()
        })
    }

    /// Every record that has the word, by offset, with its weight.
    pub(crate) fn records(&self) -> impl Iterator<Item = (i64, Weight)> {
        self.filled().flat_map(|(first, weights)| {
            (first..).zip(weights).filter_map(|(offset, weight)| Some((offset, Weight::of(*weight)?)))
        })
    }

    /// The weights where there are any, with the offset of the first one. Most words are in few records, so that most of a block is
    /// passed over.
    fn filled(&self) -> impl DoubleEndedIterator<Item = (i64, &[u8])> {
        let parts = self.0.chunks(PART).enumerate().filter(|(_, weights)| **weights != [0; PART]);
        parts.map(|(part, weights)| (i64::try_from(part * PART).unwrap_or_default(), weights))
    }

    /// Both words: the worse weight of the two.
    pub(super) fn and(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, other)| *mine = (*mine).min(*other));
    }

    /// One word or the other: the better weight.
    pub(super) fn or(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, other)| *mine = (*mine).max(*other));
    }

    /// Without the records that have the other word.
    pub(super) fn without(&mut self, other: &Self) {
        for (mine, other) in self.0.iter_mut().zip(&other.0) {
            if *other > 0 {
                *mine = 0;
            }
        }
    }

    /// How many records have the word.
    pub(super) fn count(&self) -> usize {
        self.filled().map(|(_, weights)| weights.iter().filter(|weight| **weight > 0).count()).sum()
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

    #[test]
    fn damaged_blocks_are_refused() {
        assert_eq!(changed(Some(&[0, 0]), &[]), Err(Damaged));
        assert_eq!(Block::decode(&[1]), None);
        assert_eq!(Block::decode(&[0, 0]), None, "a record without a weight");
        assert_eq!(Block::decode(&[0xFF, 0xFF]), None, "an offset behind the block");
    }
}
