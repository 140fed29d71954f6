//! What values look like, for those who send and receive them. The types say it; the description of the API, the
//! limits in forms and the faults of a body come from there.

mod openapi;

pub use openapi::{components, openapi};

/// A type that says what its values look like.
pub trait Described {
    /// What they look like.
    const SCHEMA: Schema;
}

/// What a value looks like.
#[derive(Debug, Clone, Copy)]
pub enum Schema {
    /// A text.
    Text(TextSchema),
    /// A whole number, at least and at most.
    Integer(i64, i64),
    /// `true` or `false`.
    Boolean,
    /// A word of a closed list.
    Word(Words),
    /// A list of values.
    List {
        /// What each looks like.
        of: &'static Schema,
        /// The fewest elements.
        least: usize,
        /// The most elements.
        most: usize,
    },
    /// A text of a list that the program makes.
    TextOf(fn() -> &'static [&'static str]),
    /// An object.
    Object(&'static Object),
    /// One of several objects that a member tells apart.
    Tagged(&'static Tagged),
    /// One of several values.
    OneOf(&'static OneOf),
    /// An object whose members all look alike.
    Map(&'static Map),
    /// The schema of this name, which is described elsewhere.
    Named(&'static str),
}

impl Schema {
    /// A text whose form is a regular expression (ECMA-262).
    pub const fn text(least: usize, most: usize, pattern: &'static str) -> Self {
        Self::Text(TextSchema::of(least, most, pattern))
    }

    /// A list with these limits; anything else stays as it is.
    pub const fn with_elements(self, least: usize, most: usize) -> Self {
        match self {
            Self::List { of, .. } => Self::List { of, least, most },
            other => other,
        }
    }

    /// Adds the members of an object.
    fn add_members(&self, names: &mut Vec<&'static str>) {
        let Self::Object(object) = self else { return };
        for member in object.members {
            match member {
                Member::One { name, .. } => names.push(name),
                Member::All(schema) => schema.add_members(names),
            }
        }
    }
}

/// A text.
#[derive(Debug, Clone, Copy)]
pub struct TextSchema {
    /// The fewest characters.
    pub least: usize,
    /// The most characters; a limit in bytes is also one in characters.
    pub most: usize,
    /// The form, as a regular expression (ECMA-262); empty where `format` says it.
    pub pattern: &'static str,
    /// The form, as JSON Schema names it; empty where `pattern` says it.
    pub format: &'static str,
    /// One of them; empty where it depends on what the text is about.
    pub example: &'static str,
}

impl TextSchema {
    /// A text whose form is a regular expression (ECMA-262).
    pub const fn of(least: usize, most: usize, pattern: &'static str) -> Self {
        Self { least, most, pattern, format: "", example: "" }
    }

    /// A text of at most so many characters whose form JSON Schema names.
    pub const fn with_format(most: usize, format: &'static str) -> Self {
        Self { least: 0, most, pattern: "", format, example: "" }
    }

    /// The same with an example.
    pub const fn such_as(self, example: &'static str) -> Self {
        Self { example, ..self }
    }
}

/// A closed list of words.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    /// What the list is called.
    pub list: &'static str,
    /// What it is about.
    pub about: &'static str,
    /// Each word with its meaning.
    pub all: fn() -> Vec<(&'static str, &'static str)>,
}

/// An object with its members.
#[derive(Debug)]
pub struct Object {
    /// What the type is called.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Its members, in order.
    pub members: &'static [Member],
}

/// Several objects, one of which is sent.
#[derive(Debug)]
pub struct Tagged {
    /// What the type is called.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// The member that tells them apart.
    pub tag: &'static str,
    /// What its absence means. Only then the objects have it among their members.
    pub default: Option<&'static str>,
    /// The tag of each object, and what the object looks like.
    pub variants: &'static [(&'static str, Schema)],
}

impl Tagged {
    /// The members of all objects, besides the tag.
    pub fn members(&self) -> Vec<&'static str> {
        let mut names = Vec::new();
        self.variants.iter().for_each(|(_, schema)| schema.add_members(&mut names));
        names
    }
}

/// Several values, one of which is sent.
#[derive(Debug)]
pub struct OneOf {
    /// What the type is called.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// What each is, and what it looks like.
    pub choices: &'static [(&'static str, Schema)],
}

/// An object whose members all look alike.
#[derive(Debug)]
pub struct Map {
    /// What the type is called.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// The names of its members; none: any names.
    pub names: Option<fn() -> Vec<String>>,
    /// What each member looks like.
    pub of: &'static Schema,
    /// Whether each member can be null.
    pub is_nullable: bool,
    /// A value as an example, in JSON.
    pub example: &'static str,
}

/// A member of an object.
#[derive(Debug)]
pub enum Member {
    /// One member.
    One {
        /// Its name.
        name: &'static str,
        /// What it is.
        about: &'static str,
        /// Whether it can be absent or null.
        presence: Presence,
        /// What its value looks like.
        schema: Schema,
        /// A value as an example, in JSON.
        example: Option<&'static str>,
    },
    /// All members of another object.
    All(&'static Schema),
}

/// Whether a member can be absent or null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// It is neither absent nor null.
    Required,
    /// It can be absent or null, which mean the same; in a merge patch, null clears.
    Nullable,
    /// It can be null, but not absent.
    RequiredOrNull,
    /// It can be absent, but not null.
    Absent,
}

impl Described for bool {
    const SCHEMA: Schema = Schema::Boolean;
}

impl Described for i64 {
    const SCHEMA: Schema = Schema::Integer(i64::MIN, i64::MAX);
}

impl Described for jiff::Timestamp {
    // The longest date-time, with nine fractional digits and an offset, has 35 characters.
    const SCHEMA: Schema = Schema::Text(TextSchema::with_format(64, "date-time"));
}

impl<T: Described> Described for Vec<T> {
    const SCHEMA: Schema = Schema::List { of: &T::SCHEMA, least: 0, most: usize::MAX };
}
