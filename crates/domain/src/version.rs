//! Versions of records: a change that names the version it is based on never overwrites a newer one.

use crate::error::{Error, Result};

/// What a caller knows about the version of the record that it changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpectedVersion {
    /// Nothing: the change fits every version.
    Any,
    /// The change is based on one of these versions.
    OneOf(Vec<i64>),
    /// The caller should have named a version, and did not.
    Unsaid,
}

impl ExpectedVersion {
    /// Whether the change may be made to a record of this version. Call it in the write's own transaction, once the
    /// record is known to exist.
    pub fn check(&self, version: i64) -> Result<()> {
        match self {
            Self::Any => Ok(()),
            Self::OneOf(versions) if versions.contains(&version) => Ok(()),
            Self::OneOf(_) => Err(Error::Outdated { current: Some(version) }),
            Self::Unsaid => Err(Error::VersionRequired),
        }
    }

    /// The same for resources without versions: no version can be named, and none is required.
    pub fn check_without_version(&self) -> Result<()> {
        match self {
            Self::Any | Self::Unsaid => Ok(()),
            Self::OneOf(_) => Err(Error::Outdated { current: None }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_fits_the_versions_that_it_names() {
        assert_eq!(ExpectedVersion::Any.check(3), Ok(()));
        assert_eq!(ExpectedVersion::OneOf(vec![2, 3]).check(3), Ok(()));
        assert_eq!(ExpectedVersion::OneOf(vec![2]).check(3), Err(Error::Outdated { current: Some(3) }));
        assert_eq!(ExpectedVersion::OneOf(vec![]).check(3), Err(Error::Outdated { current: Some(3) }));
        assert_eq!(ExpectedVersion::Unsaid.check(3), Err(Error::VersionRequired));
    }

    #[test]
    fn what_has_no_versions_fits_none() {
        assert_eq!(ExpectedVersion::Any.check_without_version(), Ok(()));
        assert_eq!(ExpectedVersion::Unsaid.check_without_version(), Ok(()));
        let named = ExpectedVersion::OneOf(vec![1]);
        assert_eq!(named.check_without_version(), Err(Error::Outdated { current: None }));
    }
}
