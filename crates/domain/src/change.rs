//! What a merge patch (RFC 7396) says of a field that can be empty.

/// A change of a field: absent keeps it, null clears it, a value sets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Change<T> {
    /// The field stays as it is.
    #[default]
    Keep,
    /// The field has no value afterwards.
    Clear,
    /// The field has this value afterwards.
    Set(T),
}

impl<T> Change<T> {
    /// Whether something was sent.
    pub fn is_sent(&self) -> bool {
        !matches!(self, Self::Keep)
    }

    /// The value that was sent, if one was.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Set(value) => Some(value),
            Self::Keep | Self::Clear => None,
        }
    }

    /// The field after the change.
    pub fn of(&self, before: &Option<T>) -> Option<T>
    where
        T: Clone,
    {
        match self {
            Self::Keep => before.clone(),
            Self::Clear => None,
            Self::Set(value) => Some(value.clone()),
        }
    }
}

impl<T: AsRef<str>> Change<T> {
    /// A field that is kept as a text, after the change.
    pub fn text(&self, before: &Option<String>) -> Option<String> {
        match self {
            Self::Keep => before.clone(),
            Self::Clear => None,
            Self::Set(value) => Some(value.as_ref().to_owned()),
        }
    }
}

/// The change to this value, or to none.
impl<T> From<Option<T>> for Change<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Clear, Self::Set)
    }
}

/// What was sent of a field: nothing, null, or a value.
impl<T> From<Option<Option<T>>> for Change<T> {
    fn from(sent: Option<Option<T>>) -> Self {
        sent.map_or(Self::Keep, Self::from)
    }
}
