//! Where in a body something is.

use std::fmt::Write;

use domain::fault::pointer_segment;

/// A place in a body, built on the stack on the way down and written out only when there is a fault.
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

    fn write(&self, out: &mut String) {
        match self {
            Self::Root => out.push('#'),
            Self::Key(parent, key) => {
                parent.write(out);
                out.push('/');
                out.push_str(&pointer_segment(key));
            }
            Self::Index(parent, index) => {
                parent.write(out);
                // Writing to a String cannot fail.
                let _ = write!(out, "/{index}");
            }
        }
    }
}

/// JSON Pointer as a URI fragment (RFC 6901, section 6).
impl From<&Pointer<'_>> for String {
    fn from(pointer: &Pointer<'_>) -> Self {
        let mut out = String::new();
        pointer.write(&mut out);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_is_a_uri_fragment() {
        assert_eq!(String::from(Pointer::ROOT), "#");
        assert_eq!(String::from(&Pointer::ROOT.key("items").index(3).key("a/b c")), "#/items/3/a~1b%20c");
    }
}
