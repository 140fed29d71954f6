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

/// What a member of a patch makes of a field of type `F`.
pub(crate) trait Merge<F> {
    /// Changes the field as the member says.
    fn merge(&self, field: &mut F);
}

impl<T: Clone> Merge<T> for Option<T> {
    fn merge(&self, field: &mut T) {
        if let Some(value) = self {
            *field = value.clone();
        }
    }
}

/// A member that cannot clear a field, which can be empty.
impl<T: Clone> Merge<Option<T>> for Option<T> {
    fn merge(&self, field: &mut Option<T>) {
        if self.is_some() {
            *field = self.clone();
        }
    }
}

impl<T: Clone> Merge<Option<T>> for Change<T> {
    fn merge(&self, field: &mut Option<T>) {
        *field = self.of(field);
    }
}

/// Merges the members of a patch into the fields of the same names.
macro_rules! merge {
    ($patch:ident into $record:ident: $($field:ident),* $(,)?) => {
        $($crate::change::Merge::merge(&$patch.$field, &mut $record.$field);)*
    };
}

pub(crate) use merge;

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
