//! Texts that carry their limits in their type. What they hold was checked once, where it was read.

use super::{
    LINE_CHARACTERS, PROSE_BYTES, at_most, filled_one_line, filled_prose, not_blank, one_line, prose,
};
use crate::fault::Faults;
use crate::schema::TextSchema;

/// The pattern of any text without U+0000, which is refused in every body.
pub const ANY: &str = r"^[^\x00]*$";

/// The same with at least one character that is not blank, as [`super::is_blank`] has it; those beyond U+FFFF are missing,
/// because not every implementation of patterns can write them.
pub const FILLED: &str = r"^[^\x00]*[^\s\x00-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8][^\x00]*$";

/// The pattern of the texts that [`one_line`] allows.
pub const LINE: &str = r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*$";

/// The same with at least one character that is not blank.
pub const FILLED_LINE: &str = r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*[^\s\x00-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8][^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*$";

/// One line of at most `N` characters that is not blank: a title, a name, a label.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Line<const N: usize = LINE_CHARACTERS>(String);

/// One line of at most `N` characters that may be empty.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct LineOrEmpty<const N: usize = LINE_CHARACTERS>(String);

/// A text of at most `N` characters that is not blank: a reason.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Text<const N: usize>(String);

/// Markdown of at most 64 KiB that is not blank: a note, a summary.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Prose(String);

/// Markdown of at most 64 KiB that may be empty: a description.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct ProseOrEmpty(String);

/// Gives a type that holds one text what all such types have: `check` says what a value may be, and the schema says the
/// same to those who send one. One that is kept in another form than it was sent has the function that makes it.
macro_rules! texts {
    ($(($($generics:tt)*) $name:ty = $check:expr, $schema:expr $(, $kept:expr)?;)*) => {$(
        impl<$($generics)*> $name {
            /// A text that was sent; none if it has a fault, which is added.
            pub fn new(text: String, pointer: &str, faults: &mut $crate::Faults) -> Option<Self> {
                let mut found = $crate::Faults::new();
                let check: fn(&str, &str, &mut $crate::Faults) = $check;
                check(&text, pointer, &mut found);
                let is_right = found.is_empty();
                faults.extend(found);
                is_right.then_some(Self(text))$(.map($kept))?
            }

            /// A text as the register has it: it was checked before it was stored.
            pub fn stored(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl<$($generics)*> $crate::json::FromJson for $name {
            fn from_json(
                value: $crate::json::Json<'_>,
                at: &$crate::json::Pointer<'_>,
                faults: &mut $crate::Faults,
            ) -> Option<Self> {
                $crate::json::checked_text(value, at, faults, Self::new)
            }
        }

        impl<$($generics)*> $crate::schema::Described for $name {
            const SCHEMA: $crate::schema::Schema = $crate::schema::Schema::Text($schema);
        }

        $crate::in_the_api!([$($generics)*] $name, ::std::any::type_name::<$name>());

        impl<$($generics)*> ::std::ops::Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl<$($generics)*> PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                self.0 == other
            }
        }

        impl<$($generics)*> PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                self.0 == *other
            }
        }

        impl<$($generics)*> AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl<$($generics)*> ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl<$($generics)*> ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        /// A text that is written in the program itself.
        impl<$($generics)*> From<&'static str> for $name {
            fn from(text: &'static str) -> Self {
                Self(text.to_owned())
            }
        }

        impl<$($generics)*> From<$name> for String {
            fn from(text: $name) -> Self {
                text.0
            }
        }
    )*};
}

pub(crate) use texts;

texts! {
    (const N: usize) Line<N> = line_of::<N>, TextSchema::of(1, N, FILLED_LINE);
    (const N: usize) LineOrEmpty<N> = line_or_empty::<N>, TextSchema::of(0, N, LINE);
    (const N: usize) Text<N> = text_of::<N>, TextSchema::of(1, N, FILLED);
    () Prose = filled_prose, TextSchema::of(1, PROSE_BYTES, FILLED);
    () ProseOrEmpty = prose, TextSchema::of(0, PROSE_BYTES, ANY);
}

fn line_of<const N: usize>(text: &str, pointer: &str, faults: &mut Faults) {
    filled_one_line(text, pointer, faults);
    at_most(text, N, pointer, faults);
}

fn line_or_empty<const N: usize>(text: &str, pointer: &str, faults: &mut Faults) {
    one_line(text, pointer, faults);
    at_most(text, N, pointer, faults);
}

fn text_of<const N: usize>(text: &str, pointer: &str, faults: &mut Faults) {
    not_blank(text, pointer, faults);
    at_most(text, N, pointer, faults);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::FaultCode;

    fn made<T>(make: impl Fn(&mut Faults) -> Option<T>) -> Result<T, Vec<FaultCode>> {
        let mut faults = Faults::new();
        make(&mut faults).ok_or_else(|| faults.as_slice().iter().map(|fault| fault.code).collect())
    }

    #[test]
    fn a_line_has_at_most_its_number_of_characters_and_is_one_line() {
        let line =
            |text: &str| made(|faults| Line::<3>::new(text.to_owned(), "#/x", faults)).map(String::from);
        assert_eq!(line("äöü").as_deref(), Ok("äöü"));
        assert_eq!(line("abcd"), Err(vec![FaultCode::TooLong]));
        assert_eq!(line(" \t"), Err(vec![FaultCode::Blank]));
        assert_eq!(line("a\nbcd"), Err(vec![FaultCode::ControlCharacter, FaultCode::TooLong]));
    }

    #[test]
    fn prose_is_not_blank_and_is_kept_as_it_was_sent() {
        let prose = |text: &str| made(|faults| Prose::new(text.to_owned(), "#/x", faults)).map(String::from);
        assert_eq!(prose(" a\n\nb ").as_deref(), Ok(" a\n\nb "));
        assert_eq!(prose("\n"), Err(vec![FaultCode::Blank]));
        assert_eq!(prose(&"é".repeat(32_769)), Err(vec![FaultCode::TooLong]));
    }
}
