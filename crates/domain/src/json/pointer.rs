//! The position of a value in a body.

use std::fmt;

use crate::fault::write_segment;

/// A position in a body, built on the stack while descending and formatted only when there is a fault.
#[derive(Debug, Clone, Copy)]
pub enum Pointer<'p> {
    /// The body itself.
    Root,
    /// A member of an object.
    Key(&'p Pointer<'p>, &'p str),
    /// An item of an array, counted from 0.
    Index(&'p Pointer<'p>, usize),
}

impl<'p> Pointer<'p> {
    /// The body itself, `#`.
    pub const ROOT: &'static Pointer<'static> = &Pointer::Root;

    /// The member `key` of this place.
    pub fn key(&'p self, key: &'p str) -> Pointer<'p> {
        Pointer::Key(self, key)
    }

    /// The item `index` of this place.
    pub fn index(&'p self, index: usize) -> Pointer<'p> {
        Pointer::Index(self, index)
    }
}

/// JSON Pointer as a URI fragment (RFC 6901, section 6).
impl fmt::Display for Pointer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => f.write_str("#"),
            Self::Key(parent, key) => {
                write!(f, "{parent}/")?;
                write_segment(key, f)
            }
            Self::Index(parent, index) => write!(f, "{parent}/{index}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_is_a_uri_fragment() {
        assert_eq!(Pointer::ROOT.to_string(), "#");
        assert_eq!(Pointer::ROOT.key("items").index(3).key("a/b c").to_string(), "#/items/3/a~1b%20c");
    }
}
