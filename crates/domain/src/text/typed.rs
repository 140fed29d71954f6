//! Texts that carry their limits in their type. What they hold was checked once, where it was read.

use std::fmt;
use std::ops::Deref;

use super::{LINE_CHARACTERS, at_most, filled_one_line, filled_prose};
use crate::fault::Faults;

/// One line of at most `N` characters that is not blank: a title, a name, a label.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Line<const N: usize = LINE_CHARACTERS>(String);

/// Markdown of at most 64 KiB that is not blank: a note, a description, a reason.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Prose(String);

impl<const N: usize> Line<N> {
    /// A text that was sent; none if it has a fault, which is added.
    pub fn new(text: String, pointer: &str, faults: &mut Faults) -> Option<Self> {
        checked(text, pointer, faults, |text, pointer, faults| {
            filled_one_line(text, pointer, faults);
            at_most(text, N, pointer, faults);
        })
        .map(Self)
    }
}

impl Prose {
    /// A text that was sent; none if it has a fault, which is added.
    pub fn new(text: String, pointer: &str, faults: &mut Faults) -> Option<Self> {
        checked(text, pointer, faults, filled_prose).map(Self)
    }
}

fn checked(
    text: String,
    pointer: &str,
    faults: &mut Faults,
    check: impl Fn(&str, &str, &mut Faults),
) -> Option<String> {
    let mut found = Faults::new();
    check(&text, pointer, &mut found);
    let is_right = found.is_empty();
    faults.extend(found);
    is_right.then_some(text)
}

macro_rules! texts {
    ($(($($generics:tt)*) $name:ty;)*) => {$(
        impl<$($generics)*> $name {
            /// A text as the register has it: it was checked before it was stored.
            pub fn stored(text: String) -> Self {
                Self(text)
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl<$($generics)*> Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl<$($generics)*> fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl<$($generics)*> From<$name> for String {
            fn from(text: $name) -> Self {
                text.0
            }
        }
    )*};
}

texts! {
    (const N: usize) Line<N>;
    () Prose;
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
