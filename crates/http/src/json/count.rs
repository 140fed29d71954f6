//! The sizes of a body's arrays and objects, counted before any of it is built. This allows exact memory allocation,
//! and an array that is too long is not built at all.

use std::fmt;

use domain::{FaultCode, Faults};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::Pointer;
use super::build::Key;

/// The result of counting a body.
#[derive(Debug, Default)]
pub(super) struct Counts {
    /// The number of elements or members of each array and object, in the order in which they begin.
    pub(super) sizes: Vec<u32>,
    /// The faults of an array with too many elements: counting ends there.
    pub(super) too_many: Option<Faults>,
}

/// Counts the elements of all arrays, each of which may have up to `most`.
pub(super) fn count(body: &[u8], most: usize) -> (Counts, serde_json::Result<()>) {
    let mut counts = Counts::default();
    let mut reader = serde_json::Deserializer::from_slice(body);
    let seed = Count { counts: &mut counts, most, at: Pointer::ROOT };
    let outcome = seed.deserialize(&mut reader).and_then(|()| reader.end());
    (counts, outcome)
}

/// Counts one value and everything in it.
struct Count<'c, 'p> {
    counts: &'c mut Counts,
    most: usize,
    at: &'p Pointer<'p>,
}

impl Count<'_, '_> {
    /// Reserves the entry for the size of an array or object that begins.
    fn begin(&mut self) -> usize {
        self.counts.sizes.push(0);
        self.counts.sizes.len() - 1
    }

    fn end(&mut self, index: usize, size: usize) {
        if let Some(place) = self.counts.sizes.get_mut(index) {
            *place = u32::try_from(size).unwrap_or(u32::MAX);
        }
    }
}

impl<'de> DeserializeSeed<'de> for Count<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Count<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        let (begun, mut size) = (self.begin(), 0);
        let Self { most, at, .. } = self;
        while items
            .next_element_seed(Count { counts: &mut *self.counts, most, at: &at.index(size) })?
            .is_some()
        {
            size += 1;
            if size > most {
                let mut faults = Faults::new();
                faults.add(at, FaultCode::TooMany, format_args!("must have at most {most} elements"));
                self.counts.too_many = Some(faults);
                return Err(Error::custom("too many elements"));
            }
        }
        self.end(begun, size);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<(), A::Error> {
        let (begun, mut size) = (self.begin(), 0);
        let Self { most, at, .. } = self;
        while let Some(Key(key)) = members.next_key()? {
            members.next_value_seed(Count { counts: &mut *self.counts, most, at: &at.key(&key) })?;
            size += 1;
        }
        self.end(begun, size);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_come_in_the_order_in_which_things_begin() {
        let (counts, outcome) = count(br#"{"a":[1,[],{"b":null}],"c":"x"}"#, 3);
        assert!(outcome.is_ok() && counts.too_many.is_none());
        assert_eq!(counts.sizes, [2, 3, 0, 1]);
    }

    #[test]
    fn counting_ends_at_the_first_element_too_many() {
        // The rest is not JSON and is not read.
        let (counts, outcome) = count(br#"{"a":[[1,2,3,"#, 2);
        assert!(outcome.is_err());
        let faults = counts.too_many.unwrap();
        assert_eq!((faults[0].pointer.as_str(), faults[0].code), ("#/a/0", FaultCode::TooMany));
    }
}
