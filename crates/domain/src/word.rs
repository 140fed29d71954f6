//! Closed lists of words: the allowed values of a field. A list is declared once, with the meaning of each word; names,
//! parsing, documentation, JSON, schema and column are derived from it.

mod read;

pub use read::{each_once, listed, names, word, word_of};

/// A word of a closed list.
pub trait Word: Copy + Eq + Send + Sync + 'static {
    /// What the list is called in the documentation of the API, such as `IncidentStatus`.
    const LIST: &'static str;
    /// What the list is about, in a sentence.
    const ABOUT: &'static str;
    /// Every word, in the order of the documentation.
    const ALL: &'static [Self];

    /// The word as it is written: in JSON, in the database, in the journal.
    fn as_str(self) -> &'static str;

    /// What the word means, in a sentence.
    fn meaning(self) -> &'static str;

    /// Reads a word as it is written.
    fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|word| word.as_str() == text)
    }
}

/// A word as people read it: `not_applicable` is `Not applicable`. A severity that is undetermined is not assessed, and a task
/// that nobody does is not needed.
pub fn label(word: &str) -> String {
    let text = match word {
        "undetermined" => "not assessed".to_owned(),
        "not_doing" => "not needed".to_owned(),
        _ => word.replace('_', " "),
    };
    let mut letters = text.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

/// Declares a closed list of words:
///
/// ```
/// domain::words! {
///     "DoorState"
///     /// Whether a door is open.
///     pub enum DoorState {
///         /// One can walk through.
///         Open = "open",
///         /// One cannot.
///         Closed = "closed",
///     }
/// }
/// assert_eq!(DoorState::parse("open"), Some(DoorState::Open));
/// assert_eq!(DoorState::Closed.as_str(), "closed");
/// assert_eq!(DoorState::Closed.meaning(), "One cannot.");
/// ```
#[macro_export]
macro_rules! words {
    (
        $list:literal
        $(#[doc = $about:literal])+
        $public:vis enum $name:ident {
            $($(#[doc = $meaning:literal])+ $word:ident = $text:literal),* $(,)?
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $public enum $name {
            $($(#[doc = $meaning])+ $word,)*
        }

        impl $name {
            /// Every word, in the order of the documentation.
            $public const ALL: &'static [Self] = &[$(Self::$word,)*];

            /// The word as it is written: in JSON, in the database, in the journal.
            $public fn as_str(self) -> &'static str {
                match self { $(Self::$word => $text,)* }
            }

            /// What the word means.
            $public fn meaning(self) -> &'static str {
                match self { $(Self::$word => concat!($($meaning,)+).trim_ascii(),)* }
            }

            /// Reads a word as it is written.
            $public fn parse(text: &str) -> Option<Self> {
                $crate::word::Word::parse(text)
            }
        }

        impl $crate::word::Word for $name {
            const LIST: &'static str = $list;
            const ABOUT: &'static str = concat!($($about,)+).trim_ascii();
            const ALL: &'static [Self] = Self::ALL;

            fn as_str(self) -> &'static str {
                self.as_str()
            }

            fn meaning(self) -> &'static str {
                self.meaning()
            }
        }

        impl $crate::json::FromJson for $name {
            fn from_json(
                value: $crate::json::Json<'_>,
                at: &$crate::json::Pointer<'_>,
                faults: &mut $crate::Faults,
            ) -> Option<Self> {
                $crate::word::word(value, at, faults)
            }
        }

        impl $crate::schema::Described for $name {
            const SCHEMA: $crate::schema::Schema = $crate::schema::Schema::Word($crate::schema::Words {
                list: $list,
                about: <Self as $crate::word::Word>::ABOUT,
                all: || Self::ALL.iter().map(|word| (word.as_str(), word.meaning())).collect(),
            });
        }

        impl $crate::record::Shown for $name {
            const WORDS: fn() -> Vec<&'static str> = || Self::ALL.iter().map(|word| word.as_str()).collect();

            fn value(&self) -> $crate::record::Value<'_> {
                $crate::record::Value::Word(self.as_str())
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl $crate::serde::Serialize for $name {
            fn serialize<S: $crate::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::Word;

    words! {
        "Colour"
        /// The colours
        /// of a flag.
        pub(super) enum Colour {
            /// Like a tomato.
            Red = "red",
            /// Like the sky,
            /// on a good day.
            SkyBlue = "sky_blue",
        }
    }

    #[test]
    fn a_word_is_written_read_and_explained() {
        assert_eq!(Colour::ALL, [Colour::Red, Colour::SkyBlue]);
        for word in Colour::ALL {
            assert_eq!(Colour::parse(word.as_str()), Some(*word));
            assert_eq!(serde_json::to_value(word).unwrap(), word.as_str());
            assert_eq!(word.to_string(), word.as_str());
        }
        assert_eq!(Colour::parse("SkyBlue"), None);
        assert_eq!(Colour::SkyBlue.meaning(), "Like the sky, on a good day.");
        assert_eq!((Colour::LIST, Colour::ABOUT), ("Colour", "The colours of a flag."));
    }
}
