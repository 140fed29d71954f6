//! Builds a value while it is parsed.

use std::borrow::Cow;
use std::fmt;

use domain::json::Json;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// Builds one value; `sizes` are those of [`super::count`], or none for a body that was not counted.
pub(super) struct Build<'s>(pub(super) &'s mut std::vec::IntoIter<u32>);

impl Build<'_> {
    /// Allocates a vector for all elements of an array or members of an object.
    fn room<T>(&mut self) -> Vec<T> {
        Vec::with_capacity(self.0.next().and_then(|size| usize::try_from(size).ok()).unwrap_or_default())
    }
}

impl<'de> DeserializeSeed<'de> for Build<'_> {
    type Value = Json<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Build<'_> {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Json<'de>, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Json<'de>, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Json<'de>, E> {
        Ok(Json::Integer(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Json<'de>, E> {
        #[expect(clippy::cast_precision_loss, reason = "beyond 64 signed bits only 'too large' matters")]
        Ok(i64::try_from(value).map_or(Json::Number(value as f64), Json::Integer))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Json<'de>, E> {
        Ok(integral(value).map_or(Json::Number(value), Json::Integer))
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Json<'de>, E> {
        Ok(Json::String(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Json<'de>, E> {
        Ok(Json::String(Cow::Owned(text.to_owned())))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Json<'de>, E> {
        Ok(Json::String(Cow::Owned(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Json<'de>, A::Error> {
        let mut array = self.room();
        while let Some(item) = items.next_element_seed(Build(&mut *self.0))? {
            array.push(item);
        }
        Ok(Json::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<Json<'de>, A::Error> {
        let mut object = self.room();
        while let Some(Key(key)) = members.next_key()? {
            object.push((key, members.next_value_seed(Build(&mut *self.0))?));
        }
        Ok(Json::Object(object))
    }
}

/// The integer that `value` equals, if that is certain. Beyond 2^53 a number that was written with a fraction or an
/// exponent, or with more digits than 64 bits hold, may have been rounded.
fn integral(value: f64) -> Option<i64> {
    const LIMIT: f64 = 9_007_199_254_740_992.0; // 2^53
    #[expect(clippy::cast_possible_truncation, reason = "checked to be whole and in range")]
    (value.fract() == 0.0 && value.abs() < LIMIT).then_some(value as i64)
}

/// A key, borrowed where it can be (`Cow` itself always copies).
pub(super) struct Key<'a>(pub(super) Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Key<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyText<'a>(std::marker::PhantomData<&'a ()>);
        impl<'de: 'a, 'a> Visitor<'de> for KeyText<'a> {
            type Value = Key<'a>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Key<'a>, E> {
                Ok(Key(Cow::Borrowed(text)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Key<'a>, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(KeyText(std::marker::PhantomData))
    }
}
